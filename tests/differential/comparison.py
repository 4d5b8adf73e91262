"""Whether three answers agree: upstream's, ours and the reference's.

Order means nothing in these answers, so they are compared as sets; candidates as multisets where mappings, which tell
them apart, are not shown. With a limit, which candidates are chosen is left to the service, but not how many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any

from tests.differential import deviations, reference
from tests.differential.clouds import Cloud
from tests.differential.details import compare_details
from tests.differential.outcome import Outcome
from tests.differential.queries import ProviderQuery, Query
from tests.differential.reference import Candidate
from tests.differential.services import USUAL, Answer, Generation, Pair

SAME_HEADERS = ("content-type", "cache-control", "openstack-api-version", "vary", "allow", "location")

Shown = Counter[Hashable]


def judge(pair: Pair, cloud: Cloud, query: Query, generation: Generation = USUAL) -> Outcome:
    """Put a question to both services, whose databases hold the cloud and which generate candidates like this."""
    upstream, ours = pair.send(query.call())
    deviation = deviations.find(cloud, query, upstream)
    if deviation is None:
        difference = compare_answers(upstream, ours, query.minor) or _compare_contents(
            cloud, query, upstream, ours, generation
        )
    elif not query.means_what_it_says:
        difference = "ours fails" if ours.status >= 500 else None
    elif ours.status != (right := deviations.right_status(query)):
        difference = f"ours must answer {right}, as upstream is wrong here ({deviation.name})"
    else:
        difference = _compare_with_reference(cloud, query, ours, "ours", generation) if ours.status == 200 else None
        if difference is None and deviation.only_loses and upstream.status == 200:
            difference = _find_wrong(cloud, query, upstream, "upstream")
    if difference is None:
        return Outcome(None, deviation)
    return Outcome(f"{difference}\n  upstream: {upstream}\n  ours:     {ours}", deviation)


# --- what every answer has


def compare_answers(upstream: Answer, ours: Answer, minor: int) -> str | None:
    """Status, the error's code, what it says, and headers."""
    if upstream.status != ours.status:
        return f"upstream answers {upstream.status}, ours {ours.status}"
    if minor >= 23 and upstream.code != ours.code:
        return f"upstream's error is {upstream.code}, ours {ours.code}"
    return compare_details(upstream, ours) or _compare_headers(upstream, ours, minor)


def _compare_headers(upstream: Answer, ours: Answer, minor: int) -> str | None:
    # Upstream leaves the version out of some errors, depending on where they were noticed; ours never does.
    for name in SAME_HEADERS if ours.status < 400 else ("content-type", "allow"):
        if upstream.headers.get(name) != ours.headers.get(name):
            return f"{name}: upstream's is {upstream.headers.get(name)}, ours {ours.headers.get(name)}"
    # Since 1.15 answers with a body have it; upstream forgets it where the list of inventories is empty, and where a
    # PUT changes nothing in a provider that never was changed.
    if "last-modified" in upstream.headers and "last-modified" not in ours.headers:
        return "ours has no last-modified"
    if "last-modified" in ours.headers and minor < 15:
        return "ours has a last-modified before its time"
    return None


# --- what is in them


def _compare_contents(cloud: Cloud, query: Query, upstream: Answer, ours: Answer, generation: Generation) -> str | None:
    if ours.status != 200:
        return None
    if isinstance(query, ProviderQuery):
        difference = _compare_providers(upstream.body, ours.body)
    elif generation.most is not None:
        difference = None  # which ones are left out is everybody's own affair, and what there is, the reference tells
    elif any(name == "limit" for name, _ in query.parameters()):
        difference = _compare_counts(upstream.body, ours.body)
    elif query.oddity and query.oddity[0].startswith("resources"):
        return None  # it may have made groups, so that upstream's deviations cannot be told from the query
    else:
        difference = _compare_candidates(upstream.body, ours.body)
    if difference or not query.means_what_it_says:
        return difference
    return (
        _find_wrong(cloud, query, upstream, "upstream", generation)
        if generation.most is not None
        else _compare_with_reference(cloud, query, upstream, "upstream")
    ) or _compare_with_reference(cloud, query, ours, "ours", generation)


def _compare_providers(upstream: Any, ours: Any) -> str | None:
    theirs = {entry["uuid"]: entry for entry in upstream["resource_providers"]}
    mine = {entry["uuid"]: entry for entry in ours["resource_providers"]}
    for entries, body in ((theirs, upstream), (mine, ours)):
        if len(entries) != len(body["resource_providers"]):
            return "a provider is listed twice"
    return _different_sets("providers", theirs.keys(), mine.keys()) or _different_entries(theirs, mine)


def _compare_counts(upstream: Any, ours: Any) -> str | None:
    theirs, mine = (len(body["allocation_requests"]) for body in (upstream, ours))
    return None if theirs == mine else f"upstream has {theirs} candidates, ours {mine}"


def _compare_candidates(upstream: Any, ours: Any) -> str | None:
    return _different_candidates("upstream", _shown(upstream), "ours", _shown(ours)) or _different_entries(
        _summaries(upstream), _summaries(ours)
    )


def _find_wrong(cloud: Cloud, query: Query, answer: Answer, side: str, generation: Generation = USUAL) -> str | None:
    """Whether an answer in which something may be missing has anything that is wrong."""
    if isinstance(query, ProviderQuery):
        return _compare_with_reference(cloud, query, answer, side)
    right = Counter[Hashable](_as_shown(candidate, query.minor) for candidate in reference.all_candidates(cloud, query))
    shown = _shown(answer.body)
    if generation.most is not None and shown.total() > generation.most:
        return f"{side} has {shown.total()} candidates, {generation.most} are allowed"
    wrong = shown - right
    return f"{side} has candidates that are not right: {dict(wrong)}" if wrong else None


def _compare_with_reference(
    cloud: Cloud, query: Query, answer: Answer, side: str, generation: Generation = USUAL
) -> str | None:
    if isinstance(query, ProviderQuery):
        listed = {entry["uuid"] for entry in answer.body["resource_providers"]}
        return _different_sets(f"providers ({side})", reference.matching_providers(cloud, query), listed)
    right = reference.all_candidates(cloud, query)
    shown = _shown(answer.body)
    expected = Counter[Hashable](_as_shown(candidate, query.minor) for candidate in right)
    most = min((bound for bound in (query.limit, generation.most) if bound is not None), default=None)
    if most is None:
        return _different_candidates("the reference", expected, side, shown) or (
            _different_entries(reference.summaries(cloud, query, right), _summaries(answer.body))
        )
    if shown.total() != min(most, len(right)):
        return f"{side} has {shown.total()} candidates, {min(most, len(right))} are right"
    if shown - expected:
        return f"{side} has candidates that are not right: {dict(shown - expected)}"
    # Until 1.28 upstream also tells about providers of candidates that the limit has cut off.
    if side == "upstream" and query.minor < 29:
        return None
    chosen = {candidate for candidate in right if _as_shown(candidate, query.minor) in shown}
    return _different_entries(reference.summaries(cloud, query, chosen), _summaries(answer.body))


def _as_shown(candidate: Candidate, minor: int) -> Hashable:
    return candidate if minor >= 34 else candidate.amounts


def _shown(body: Any) -> Shown:
    """The candidates of an answer; a difference in form is a difference, so nothing is forgiven here."""
    return Counter(_shown_candidate(entry) for entry in body["allocation_requests"])


def _shown_candidate(entry: Mapping[str, Any]) -> Hashable:
    allocations = entry["allocations"]
    if isinstance(allocations, list):
        by_provider = {item["resource_provider"]["uuid"]: item for item in allocations}
        if len(by_provider) != len(allocations):
            return "a provider is named twice"
    else:
        by_provider = allocations
    amounts = frozenset(
        (uuid, name, amount) for uuid, item in by_provider.items() for name, amount in item["resources"].items()
    )
    if "mappings" not in entry:
        return amounts
    return Candidate(amounts, frozenset((suffix, frozenset(uuids)) for suffix, uuids in entry["mappings"].items()))


def _summaries(body: Any) -> dict[str, dict[str, Any]]:
    return {
        uuid: {**summary, "traits": frozenset(summary["traits"])} if "traits" in summary else summary
        for uuid, summary in body["provider_summaries"].items()
    }


# --- how differences are told


def _different_candidates(left: str, lefts: Shown, right: str, rights: Shown) -> str | None:
    if lefts == rights:
        return None
    return f"candidates: only {left}: {dict(lefts - rights)}; only {right}: {dict(rights - lefts)}"


def _different_sets(what: str, expected: Any, actual: Any) -> str | None:
    missing, extra = set(expected) - set(actual), set(actual) - set(expected)
    return f"{what}: missing {sorted(missing)}, too many {sorted(extra)}" if missing or extra else None


def _different_entries(expected: Mapping[str, Any], actual: Mapping[str, Any]) -> str | None:
    for key in sorted(expected.keys() | actual.keys()):
        if expected.get(key) != actual.get(key):
            return f"{key}: {expected.get(key)} is not {actual.get(key)}"
    return None
