"""The rules that findings name."""
from dataclasses import dataclass
from typing import Any

from ._abi import hoist_refuser
from ._library import lib


@dataclass(frozen=True)
class Rule:
    """One numbered fact that :meth:`hoist.Job.check` enforces. ``checked`` is False where this version does not.

    ``refused_by`` names those of the vendor's own programs that refuse what breaks the rule: "parser", "golden model",
    "compiler", "device runtime"; empty: none of them, only hoist; None: not known.
    """
    id: str
    severity: str
    checked: bool
    title: str
    detail: str
    source: str
    refused_by: "tuple[str, ...] | None"


def rules() -> "list[Rule]":
    """The rules of all formats, codecs and of the library itself.

    >>> [rule.severity for rule in rules() if rule.id == "BUDA-017"]
    ['error']
    >>> [rule.refused_by for rule in rules() if rule.id in ("BUDA-079b", "BUDA-101")]
    [('golden model', 'device runtime'), ()]
    """
    sets = [lib.hoist_rule_set_at(index) for index in range(lib.hoist_rule_set_count())]
    found = [_rule(rows.contents.rules[number]) for rows in [*sets, lib.hoist_rule_set_of_lowering()]
             for number in range(rows.contents.count)]
    return list({rule.id: rule for rule in found}.values())


def _refusers(row: Any) -> "tuple[str, ...] | None":
    if not row.refused_by:
        return None
    return tuple(lib.hoist_refuser_name(bit).decode() for bit in hoist_refuser
                 if row.refused_by & bit and bit != hoist_refuser.NONE)


def _rule(row: Any) -> Rule:
    return Rule(id=row.id.decode(), severity=lib.hoist_severity_name(row.severity).decode(), checked=row.judged,
                title=row.title.decode(), detail=row.detail.decode(), source=row.source.decode(),
                refused_by=_refusers(row))
