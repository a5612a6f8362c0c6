"""Reads the manifests of the agents from their folders."""

import functools
from importlib.resources import files

import yaml
from pydantic import ValidationError

from bot.core.errors import ConfigurationError
from bot.core.manifests import Manifest

FOLDERS = (
    "onboarding",
    "chat",
    "ledger",
    "schedule",
    "skills",
    "complex_task",
    "help_center",
    "meeting",
    "iot",
    "data",
    "qa",
    "ticket",
    "travel",
)


@functools.cache
def load_manifests() -> tuple[Manifest, ...]:
    """Return the manifests in the order of `FOLDERS`.

    Raises:
        ConfigurationError: a manifest does not have the required form.
    """
    return tuple(_load(folder) for folder in FOLDERS)


def _load(folder: str) -> Manifest:
    source = files("agents").joinpath(folder, "manifest.yaml").read_text(encoding="utf-8")
    try:
        return Manifest.model_validate(yaml.safe_load(source))
    except ValidationError as error:
        raise ConfigurationError(f"agents/{folder}/manifest.yaml: {error}") from error
