"""Reads the manifests of the agents from their folders."""

import functools
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import yaml
from pydantic import ValidationError

from bot.core.errors import ConfigurationError
from bot.core.faults import plain_fault
from bot.core.manifests import Manifest
from bot.core.tables import read_table

FOLDERS = (
    "onboarding",
    "account",
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


@functools.cache
def load_remote(folder: Path) -> tuple[Manifest, ...]:
    """Return the manifests of the operator's remote agents, ``*.yaml`` in a folder.

    Raises:
        ConfigurationError: one does not have the required form, or names no endpoint.
    """
    manifests = tuple(
        _read(str(file), file.read_text(encoding="utf-8"))
        for file in sorted(folder.glob("*.yaml"))
    )
    for manifest in manifests:
        if not manifest.endpoint or manifest.tool_groups:
            raise ConfigurationError(
                f"{folder}: {manifest.intent}: a remote agent has an endpoint and no tool_groups"
            )
    return manifests


def joined(own: Sequence[Manifest], remote: Sequence[Manifest]) -> tuple[Manifest, ...]:
    """Return all manifests; a remote agent takes the place of one that is only planned.

    Raises:
        ConfigurationError: a label or a branch belongs to an agent that works already.
    """
    by_intent = {manifest.intent: manifest for manifest in own}
    for manifest in remote:
        taken = by_intent.get(manifest.intent)
        others = (m for m in by_intent.values() if m.intent != manifest.intent)
        if (taken and taken.status == "live") or manifest.branch_id in {
            m.branch_id for m in others
        }:
            raise ConfigurationError(f"remote agent {manifest.intent}: label or branch is taken")
        by_intent[manifest.intent] = manifest
    return tuple(by_intent.values())


def _load(folder: str) -> Manifest:
    source = files("agents").joinpath(folder, "manifest.yaml").read_text(encoding="utf-8")
    return _read(f"agents/{folder}/manifest.yaml", source)


def _read(name: str, source: str) -> Manifest:
    try:
        return Manifest.model_validate(read_table(source))
    except ValidationError as error:
        field, says = plain_fault(error)
        raise ConfigurationError(f"{name}: {field or 'the file'}: {says}") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f"line {mark.line + 1}: " if mark is not None else ""
        problem = getattr(error, "problem", None) or "cannot be read"
        raise ConfigurationError(f"{name}: {line}not YAML: {problem}") from None
