"""Each fuzz target runs its corpus, with everything that fuzzing has found in it."""

from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS

CORPUS = Path(__file__).parent / "corpus"
SMALL = 10_000  # bytes of one input


@pytest.mark.parametrize("name", TARGETS)
def test_the_corpus_of_a_target_passes(name: str) -> None:
    inputs = sorted((CORPUS / name).iterdir())
    assert len(inputs) >= 3
    for path in inputs:
        data = path.read_bytes()
        assert len(data) <= SMALL
        for cut_short in (data, data[: len(data) // 2], data[1:]):
            TARGETS[name](cut_short)


def test_every_corpus_belongs_to_a_target() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(TARGETS)
