"""The rules that findings name."""
from dataclasses import dataclass
from typing import Any

from ._library import lib


@dataclass(frozen=True)
class Rule:
    """One numbered fact that :meth:`hoist.Job.check` enforces. ``checked`` is False where this version does not."""
    id: str
    severity: str
    checked: bool
    title: str
    detail: str
    source: str


def rules() -> "list[Rule]":
    """The rules of all formats, codecs and of the library itself.

    >>> [rule.severity for rule in rules() if rule.id == "BUDA-017"]
    ['error']
    """
    sets = [lib.hoist_rule_set_at(index) for index in range(lib.hoist_rule_set_count())]
    found = [_rule(rows.contents.rules[number]) for rows in [*sets, lib.hoist_rule_set_of_lowering()]
             for number in range(rows.contents.count)]
    return list({rule.id: rule for rule in found}.values())


def _rule(row: Any) -> Rule:
    return Rule(id=row.id.decode(), severity=lib.hoist_severity_name(row.severity).decode(), checked=row.judged,
                title=row.title.decode(), detail=row.detail.decode(), source=row.source.decode())
