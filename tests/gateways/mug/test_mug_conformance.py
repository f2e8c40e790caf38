"""The page of conformance says what the tests can show, and says it of every statement."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "docs" / "reference"
ROWS = [line.split("\t") for line in (REFERENCE / "mug-rows.tsv").read_text("utf-8").splitlines()]
PAGE = {
    cells[1]: cells[5]
    for line in (REFERENCE / "mug-conformance.md").read_text("utf-8").splitlines()
    if len(cells := [cell.strip() for cell in line.split("|")]) > 5 and cells[1][0] in "MT"
}


def names_in(*folders: str) -> set[str]:
    """The names of the tests."""
    return {
        name
        for folder in folders
        for file in (ROOT / "tests" / folder).glob("test_*.py")
        for name in re.findall(r"def (test_\w+)", file.read_text("utf-8"))
    }


RUN = names_in("gateways/mug", "wire/mug", "clients/mug")  # by the script that writes the page
TESTS = RUN | names_in("interop/xmpp")


def test_every_statement_is_on_the_page() -> None:
    assert list(PAGE) == [row[0] for row in ROWS]
    assert list(PAGE) == [f"M{n}" for n in range(1, 187)] + [f"T{n}" for n in range(1, 20)]


def test_what_is_held_names_all_tests_of_its_number() -> None:
    for statement, standing in PAGE.items():
        if standing.startswith("held"):
            named = set(re.findall(r"`(test_\w+)`", standing))
            assert named, statement
            assert named == {one for one in RUN if re.search(rf"_{statement}(_|$)", one)}, statement


def test_nothing_that_the_service_owes_is_open() -> None:
    assert not [one for one, standing in PAGE.items() if standing.startswith(("OPEN", "FAILS"))]


SLICE = {"1.1", "1.2", "1.4", "1.5", "1.6", "1.7", "2"}
OWED = {"MUST", "MUST NOT", "REQUIRED", "SHALL", "SHALL NOT", "SHOULD", "SHOULD NOT", "implied"}
SEARCH = {"M20", "M26", "M27", "M29"}


def test_only_whole_use_cases_come_later() -> None:
    """Search stands among discovery, and is one of its own."""
    missing = [
        number
        for number, section, keyword, by, *_ in ROWS
        if section in SLICE and keyword in OWED and {"S", "G"} & set(by.split("/"))
        if number not in SEARCH and not PAGE[number].startswith("held")
    ]
    assert missing == []


def test_every_reading_that_is_said_to_have_a_test_has_one() -> None:
    page = (REFERENCE / "mug-readings.md").read_text("utf-8")
    rows = [[cell.strip() for cell in line.split("|")] for line in page.splitlines()]
    tested = {cells[1]: cells[4] for cells in rows if len(cells) == 6 and cells[1][:1] == "C"}
    assert list(tested) == [f"C{number}" for number in range(1, 44)]
    carried = {one for name in RUN for one in re.findall(r"_(C\d+)(?=_)", name)}
    assert {one for one, said in tested.items() if said == "yes"} == carried


def test_every_behaviour_and_every_mistake_of_others_has_tests_that_exist() -> None:
    page = (REFERENCE / "mug-robustness.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ") and "| ---" not in line]
    named = [set(re.findall(r"`(test_\w+)`", row)) for row in rows if "`test_" in row]
    assert len(named) == 17 + 12
    assert set().union(*named) <= TESTS
    real = names_in("interop/xmpp")
    assert all(tests <= real for tests in named[:17])
    assert all(tests & real for tests in named[17:])


def test_no_test_carries_a_number_that_is_none() -> None:
    carried = {one for name in TESTS for one in re.findall(r"_([MT]\d+)(?=_|$)", name)}
    assert carried <= set(PAGE)
