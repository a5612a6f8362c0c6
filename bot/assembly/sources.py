"""The sources of routing decisions that are there, and who can say what a person keeps."""

from collections.abc import Mapping

from adapters.local_model.classifier import LocalClassifier, is_installed
from adapters.local_model.examples import examples_of
from bot.briefing import Keeper
from bot.classifier import ModelClassifier
from bot.core.ledger import EntryFilter
from bot.core.model import Model
from bot.core.ports import Clock
from bot.core.routing import Classifier
from bot.core.stores import Stores
from bot.follow_ups import FollowUps
from bot.language.named_orders import is_called
from bot.like_messages import LikeMessages
from bot.metrics import Metrics
from bot.registry import Registry
from bot.rules import RuleClassifier, score
from bot.settings import Settings

LOOKED_AT = 50
"""Reminders whose names are compared."""


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
    """Return who tells whether a person keeps something of a name, by the label of the agent."""

    async def has_reminders(person_id: str, name: str) -> bool:
        coming = await stores.schedules.upcoming(person_id, limit=LOOKED_AT)
        return any(not name or is_called(schedule.what, name) for schedule in coming)

    async def has_entries(person_id: str, name: str) -> bool:
        wanted = EntryFilter(item=name)
        return bool(name and await stores.ledger.latest(person_id, wanted, limit=1))

    return {"schedule_manager": has_reminders, "ledger_manager": has_entries}
