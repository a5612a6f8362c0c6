"""The sources of routing decisions that are there, and who can say what a person keeps."""

from collections.abc import Mapping

from adapters.local_model.classifier import LocalClassifier, is_installed
from adapters.local_model.examples import examples_of
from bot.briefing import Keeper
from bot.classifier import ModelClassifier
from bot.core.model import Model
from bot.core.ports import Clock
from bot.core.routing import Classifier
from bot.core.stores import Stores
from bot.follow_ups import FollowUps
from bot.like_messages import LikeMessages
from bot.metrics import Metrics
from bot.registry import Registry
from bot.rules import RuleClassifier, score
from bot.settings import Settings


def classifiers(
    registry: Registry, settings: Settings, model: Model | None, metrics: Metrics, clock: Clock
) -> tuple[Classifier, ...]:
    """Return the sources of classifications that are there, the best first."""
    rules: tuple[Classifier, ...] = (
        FollowUps(registry.enabled),
        RuleClassifier(registry.enabled),
    )
    asked: tuple[Classifier, ...] = ()
    if model is not None:
        count = metrics.routed_by_model
        asked = (
            ModelClassifier(
                model,
                registry.manifests,
                clock=clock,
                count=count,
                knowledge=LikeMessages(registry.manifests),
            ),
        )
    if settings.local_model == "off" or not is_installed():
        return (*asked, *rules)
    examples = examples_of(registry.manifests)
    local = LocalClassifier(
        examples,
        enabled=registry.enabled,
        rule_scores=score,
        cache_folder=settings.data_dir / "cache",
    )
    return (*asked, rules[0], local, rules[1])


def keepers(stores: Stores) -> Mapping[str, Keeper]:
    """Return who tells whether a person has dates to come, by the label of the agent."""

    async def has_reminders(person_id: str) -> bool:
        return bool(await stores.schedules.upcoming(person_id, limit=1))

    return {"schedule_manager": has_reminders}
