"""The server's settings: from a file, over it the command line, printed and read again."""

import pathlib

import msgspec
import pytest

from parlour.cli import main
from parlour.cli._address import ConfigError, address
from parlour.cli._config import PROTOCOLS, Config, dump, load


def written(tmp_path: pathlib.Path, text: str) -> pathlib.Path:
    path = tmp_path / "parlour.toml"
    path.write_text(text, "utf-8")
    return path


def wrong(tmp_path: pathlib.Path, text: str) -> str:
    """What is said of a file that cannot be used, without the name of its folder."""
    with pytest.raises(ConfigError) as error:
        load(written(tmp_path, text), {})
    said = str(error.value)
    assert said.startswith(f"{tmp_path}/")
    return said.removeprefix(f"{tmp_path}/")


def test_without_a_file_everything_has_a_default() -> None:
    config = load(None, {})

    assert config == Config()
    assert set(PROTOCOLS) == {"textbook", "nedap", "ruc", "web"}
    assert all(address(getattr(config, name).listen) is not None for name in PROTOCOLS)


def test_an_empty_file_sets_nothing(tmp_path: pathlib.Path) -> None:
    assert load(written(tmp_path, ""), {}) == Config()


def test_a_file_sets_what_it_names_and_nothing_else(tmp_path: pathlib.Path) -> None:
    config = load(written(tmp_path, 'data = "there"\n[nedap]\ngrace = 0\n'), {})

    assert (config.data, config.nedap.grace) == ("there", 0)
    assert config.nedap.listen == Config().nedap.listen
    assert config.textbook == Config().textbook


def test_the_command_line_is_stronger_than_the_file(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, 'data = "there"\n[ruc]\nlisten = "off"\ngrace = 7\n')

    config = load(path, {"data": "here", "ruc": {"listen": "127.0.0.1:1"}})

    assert (config.data, config.ruc.listen, config.ruc.grace) == ("here", "127.0.0.1:1", 7)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["serve", "--print-config", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--data", 'a "quoted" place\\ü', "--log", "json", "--textbook", "off", "--ruc", "[::1]:0"),
    ],
    ids=["the defaults", "from the command line"],
)
def test_printed_settings_are_a_file_that_says_the_same(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    first = printed(capsys, *arguments)
    path = written(tmp_path, first)

    assert printed(capsys, "--config", str(path)) == first
    assert dump(load(path, {})) + "\n" == first


def test_every_setting_is_printed_with_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys)

    for name in PROTOCOLS:
        assert f"[{name}]" in text.splitlines()
        for field in msgspec.structs.fields(type(getattr(Config(), name))):
            assert any(line.startswith(f"{field.name} = ") for line in text.splitlines())
    settings = [line for line in text.splitlines() if " = " in line]
    assert all("  # " in line for line in settings)


def test_an_unknown_setting_is_an_error_that_names_the_known_ones(tmp_path: pathlib.Path) -> None:
    said = wrong(tmp_path, 'log = "text"\ndate = "there"\n')

    assert said.startswith("parlour.toml, line 2: unknown setting 'date'; known: data, log, ")


def test_an_unknown_setting_of_a_protocol_is_an_error(tmp_path: pathlib.Path) -> None:
    said = wrong(tmp_path, "# limits\n[nedap]\ngrace = 5\n\n[textbook]\ngrace = 5\n")

    assert said == (
        "parlour.toml, line 6: unknown setting 'grace' in [textbook];"
        " known: turn_limit, listen, tls"
    )


def test_an_unknown_table_is_an_error(tmp_path: pathlib.Path) -> None:
    assert wrong(tmp_path, "\n[textbok]\nturn_limit = 1\n").startswith(
        "parlour.toml, line 2: unknown setting 'textbok'; known: "
    )


@pytest.mark.parametrize(
    "text",
    [
        "reclaim = 1\ntextbook.turnlimit = 1\n",
        '# here\n"textbook" = { turnlimit = 1 }\n',
        "[ruc]\n[textbook.turnlimit]\n",
        "[ruc]\n[[textbook.turnlimit]]\n",
        "[textbook]\n 'turnlimit' = 1\n",
    ],
    ids=["dotted", "inline", "subtable", "array", "quoted"],
)
def test_the_line_is_right_however_toml_is_written(tmp_path: pathlib.Path, text: str) -> None:
    assert wrong(tmp_path, text).startswith(
        "parlour.toml, line 2: unknown setting 'turnlimit' in [textbook]"
    )


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("\nreclaim = 86401\n", 2, "<= 86400"),
        ("reclaim = -1\n", 1, ">= 0"),
        ('reclaim = "soon"\n', 1, "expected a whole number, got text"),
        ('log = "loud"\n', 1, "log: expected text or json, not 'loud'"),
        (
            '[nedap]\ncancel = "maybe"\n',
            2,
            "nedap.cancel: expected keep or close, not 'maybe'",
        ),
        ("[ruc]\n\ngrace = true\n", 3, "expected a whole number, got true or false"),
        ('[ruc]\ngrace = 1\n[nedap]\ngrace = "long"\n', 4, "expected a whole number, got text"),
        ("[textbook]\nlisten = 8000\n", 2, "expected text, got a whole number"),
        ("\n[limits]\nexempt = [1]\n", 3, "limits.exempt[0]: expected text, got a whole number"),
        ("[web]\norigins = ['https://a.b',\n7]\n", 2, "web.origins[1]: expected text"),
        ("log = 'text'\ntextbook = 8000\n", 2, "expected a table, got a whole number"),
        ("log = 'text'\n[[textbook]]\n", 2, "expected a table, got a list"),
    ],
)
def test_what_a_setting_may_not_be_is_an_error_with_the_line(
    tmp_path: pathlib.Path, text: str, line: int, reason: str
) -> None:
    said = wrong(tmp_path, text)

    assert said.startswith(f"parlour.toml, line {line}: ")
    assert reason in said


def test_malformed_toml_is_an_error_with_the_line(tmp_path: pathlib.Path) -> None:
    said = wrong(tmp_path, 'data = "there"\nlog = \n')

    assert said.startswith("parlour.toml: ")
    assert "line 2" in said


def test_a_file_that_is_no_text_is_an_error(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "parlour.toml"
    path.write_bytes(b'data = "\xff"\n')

    with pytest.raises(ConfigError, match="utf-8"):
        load(path, {})


def test_a_missing_file_ends_the_command_with_a_sentence(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--config", str(tmp_path / "none.toml")]) == 2

    out, said = capsys.readouterr()
    assert out == ""
    assert said == f"parlour: cannot read {tmp_path}/none.toml: No such file or directory\n"


@pytest.mark.parametrize(
    ("listen", "at"),
    [
        ("127.0.0.1:8000", ("127.0.0.1", 8000)),
        ("localhost:0", ("localhost", 0)),
        ("[::1]:65535", ("::1", 65535)),
        (":8000", ("127.0.0.1", 8000)),
        ("off", None),
    ],
)
def test_addresses(listen: str, at: tuple[str, int] | None) -> None:
    assert address(listen) == at


@pytest.mark.parametrize(
    "listen",
    [
        *("", "8000", "on", "OFF", "localhost", "localhost:", "localhost:65536", "localhost:-1"),
        *("::1:8000", "[]:8000", "[::1]", "a:1:2", "127.0.0.1:8000\n", "localhost:\u0661"),
    ],
)
def test_what_is_no_address(listen: str) -> None:
    with pytest.raises(ConfigError) as error:
        address(listen)
    assert str(error.value) == f"{listen!r} is no address: expected HOST:PORT or off"


def test_an_address_in_a_file_that_is_none_is_an_error_with_the_line(
    tmp_path: pathlib.Path,
) -> None:
    said = wrong(tmp_path, 'log = "text"\n[nedap]\ngrace = 1\nlisten = "here"\n')
    assert said == "parlour.toml, line 4: 'here' is no address: expected HOST:PORT or off"


def test_an_address_on_the_command_line_that_is_none_names_the_option(
    tmp_path: pathlib.Path,
) -> None:
    path = written(tmp_path, '[nedap]\nlisten = "off"\n')
    with pytest.raises(ConfigError, match=r"^--nedap: '99999' is no address"):
        load(path, {"nedap": {"listen": "99999"}})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            'server = "x"',
            "'x' is no XMPP server: expected managed, component:HOST:PORT or off",
        ),
        ('domain = "a b"', "'a b' is no domain: expected a name such as games.example.org"),
    ],
)
def test_what_xmpp_cannot_use_is_an_error_with_the_line(
    tmp_path: pathlib.Path, text: str, said: str
) -> None:
    assert wrong(tmp_path, f"[xmpp]\n{text}\n") == f"parlour.toml, line 2: {said}"


@pytest.mark.parametrize(
    "origin",
    [
        *("", "*", "null", "play.example.org", "https://", "ftp://play.example.org"),
        *("https://play.example.org/page", "https://a b", "https://play.example.org:x"),
    ],
)
def test_what_is_no_origin_is_an_error_with_the_line(tmp_path: pathlib.Path, origin: str) -> None:
    said = wrong(tmp_path, f'[web]\norigins = ["https://a.example", "{origin}"]\n')
    assert said == (
        f"parlour.toml, line 2: {origin!r} is no origin: expected one as in https://example.org"
    )


@pytest.mark.parametrize(
    "origin",
    ["https://play.example.org", "http://localhost:8080", "https://[::1]:8443", "https://a.b/"],
)
def test_origins_are_taken_as_they_are(tmp_path: pathlib.Path, origin: str) -> None:
    path = written(tmp_path, f'[web]\norigins = ["{origin}"]\n')
    assert load(path, {}).web.origins == (origin,)


def test_a_quoted_name_with_a_space_has_its_line(tmp_path: pathlib.Path) -> None:
    said = wrong(tmp_path, '[textbook]\n"wib ble" = 1\n')
    assert said.startswith("parlour.toml, line 2: unknown setting 'wib ble' in [textbook]")
