"""The commands of `parlour`, and how it answers those that there are not."""

import pytest

from parlour.cli import main


def ended(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    """Status, output and errors of a command line that is answered without being run."""
    with pytest.raises(SystemExit) as end:
        main(arguments)
    return end.value.code, *capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "usage"),
    [
        (("serve", "--data", "D", "--bogus"), "usage: parlour serve "),
        (("matches", "--bogus"), "usage: parlour matches "),
        (("--bogus", "matches"), "usage: parlour "),
    ],
)
def test_an_unknown_option_is_answered_with_the_usage_of_its_command(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    usage: str,
) -> None:
    monkeypatch.delenv("PARLOUR_COMMAND", raising=False)
    status, out, said = ended(capsys, *arguments)
    assert (status, out) == (2, "")
    assert said.startswith(usage)
    assert said.endswith("unrecognized arguments: --bogus\n")


@pytest.mark.parametrize("called", [None, "./run"])
def test_help_lists_the_commands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, called: str | None
) -> None:
    monkeypatch.delenv("PARLOUR_COMMAND", raising=False)
    if called is not None:
        monkeypatch.setenv("PARLOUR_COMMAND", called)
    status, out, said = ended(capsys, "-h")
    assert (status, said) == (0, "")
    assert all(f"\n    {name} " in out for name in ("serve", "play", "matches", "export"))
    words = " ".join(out.split())
    assert ("Options without a command are those of serve." in words) == (called is not None)


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(capsys, "--version")[1].startswith("parlour ")
