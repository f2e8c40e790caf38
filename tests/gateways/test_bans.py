"""Who is kept out, by what, and until when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games import Refusal, Refused
from parlour.gateways import LAST, Ban, BanKind, Bans, Gatekeeper, Limits, subject

NOW = 1_800_000_000_000
HOUR = 3_600_000


def banned(*bans: Ban) -> Bans:
    found = Bans()
    found.put(bans)
    return found


@pytest.mark.parametrize(
    ("who", "address", "kept_out"),
    [
        ("10.0.0.7", "10.0.0.7", True),
        ("10.0.0.7", "10.0.0.8", False),
        ("10.0.0.0/8", "10.200.3.4", True),
        ("10.0.0.0/8", "11.0.0.1", False),
        ("10.0.0.7", "::ffff:10.0.0.7", True),
        ("::ffff:10.0.0.7", "10.0.0.7", True),
        ("::ffff:10.0.0.7", "::ffff:10.0.0.7", True),
        ("2001:db8::/64", "2001:db8::17", True),
        ("2001:db8::/64", "2001:db8:0:1::17", False),
        ("fe80::1", "fe80::1%eth0", True),
        ("10.0.0.7", "a peer already gone", False),
    ],
)
def test_an_address_is_kept_out_by_itself_or_its_network(
    who: str, address: str, kept_out: bool
) -> None:
    bans = banned(Ban(BanKind.ADDRESS, who))
    assert (bans.of_address(address, NOW) is not None) is kept_out


@pytest.mark.parametrize(
    ("kind", "who", "identity", "name", "kept_out"),
    [
        (BanKind.NAME, "alice", "nedap:alice 10.0.0.7", "alice", True),
        (BanKind.NAME, "alice", "nedap:alice 10.0.0.7", "", True),
        (BanKind.NAME, "alice", "web:7k2m", "ALICE", True),
        (BanKind.NAME, "alice", "web:7k2m", "alicia", False),
        (BanKind.NAME, "nedap:alice", "nedap:alice 10.0.0.7", "alice", True),
        (BanKind.NAME, "nedap:alice", "ruc:alice 10.0.0.7", "alice", False),
        (BanKind.NAME, "web:7k2m", "web:7k2m", "whoever", True),
        (BanKind.NAME, "alice", "xmpp:bob@example.org", "Alice", True),
        (BanKind.JID, "anna@example.org", "xmpp:anna@example.org", "nick", True),
        (BanKind.JID, "example.org", "xmpp:anna@example.org", "nick", True),
        (BanKind.JID, "example.org", "xmpp:anna@sub.example.org", "nick", False),
        (BanKind.JID, "anna@example.org", "nedap:anna 10.0.0.7", "anna", False),
    ],
)
def test_a_player_is_kept_out_by_name_or_jid(
    kind: BanKind, who: str, identity: str, name: str, kept_out: bool
) -> None:
    bans = banned(Ban(kind, who))
    assert (bans.of_person(identity, name, NOW) is not None) is kept_out


def test_a_name_that_was_recorded_when_more_made_a_difference_is_kept_out() -> None:
    bans = banned(Ban(BanKind.NAME, "i \u2764\ufe0f chess"))
    assert bans.of_person("web:1", "I \u2764\ufe0f chess", NOW) is not None
    assert bans.of_person("web:1", "i \u2764 chess", NOW) is not None


def test_a_ban_ends_by_itself() -> None:
    bans = banned(
        Ban(BanKind.NAME, "alice", until=NOW + HOUR),
        Ban(BanKind.ADDRESS, "10.0.0.7", until=NOW + HOUR),
    )
    for now, kept_out in ((NOW + HOUR - 1, True), (NOW + HOUR, False)):
        assert (bans.of_person("nedap:alice x", "alice", now) is not None) is kept_out
        assert (bans.of_address("10.0.0.7", now) is not None) is kept_out


def test_the_sentence_says_until_when_and_why() -> None:
    assert Ban(BanKind.NAME, "a").sentence() == "you are banned"
    assert (
        Ban(BanKind.NAME, "a", NOW, "rude").sentence()
        == "you are banned until 2027-01-15 08:00 UTC: rude"
    )


def test_a_gatekeeper_asks_for_exempt_addresses_too() -> None:
    keeper = Gatekeeper(Limits(), banned(Ban(BanKind.ADDRESS, "127.0.0.1", reason="noise")))
    with pytest.raises(Refused) as no:
        keeper.admit("127.0.0.1", NOW)
    assert (no.value.refusal, no.value.detail) == (Refusal.BANNED, "you are banned: noise")
    assert not keeper.connections


@pytest.mark.parametrize(
    ("kind", "who", "kept_as"),
    [
        (BanKind.NAME, " Alice ", "alice"),
        (BanKind.NAME, "\uff21lice", "alice"),  # a full-width A
        (BanKind.ADDRESS, "10.0.0.7/8", "10.0.0.0/8"),
        (BanKind.ADDRESS, "10.0.0.7/32", "10.0.0.7"),
        (BanKind.ADDRESS, "2001:DB8::1", "2001:db8::1"),
        (BanKind.ADDRESS, "::ffff:203.0.113.7", "203.0.113.7"),
        (BanKind.ADDRESS, "::ffff:10.0.0.7/104", "10.0.0.0/8"),
        (BanKind.ADDRESS, "::/0", "::/0"),
        (BanKind.JID, "Anna@Example.org", "anna@example.org"),
    ],
)
def test_a_subject_has_one_form(kind: BanKind, who: str, kept_as: str) -> None:
    assert subject(kind, who) == kept_as


@pytest.mark.parametrize(
    ("kind", "who", "said"),
    [
        (BanKind.NAME, "", "'' is nobody: 1 to 200 printable letters"),
        (BanKind.NAME, "a\x1b", "'a\\x1b' is nobody: 1 to 200 printable letters"),
        (BanKind.NAME, "\u3164", "'\u3164' is nobody: 1 to 200 printable letters"),  # shows nothing
        (
            BanKind.ADDRESS,
            "10.0.0",
            "'10.0.0' is no address: expected one such as 10.0.0.7 or 10.0.0.0/8",
        ),
        (
            BanKind.JID,
            "anna@example.org/home",
            "'anna@example.org/home' is no JID: expected one such as anna@example.org,"
            " or example.org",
        ),
    ],
)
def test_what_is_no_subject_is_said(kind: BanKind, who: str, said: str) -> None:
    with pytest.raises(Refused) as no:
        subject(kind, who)
    assert no.value.detail == said


@given(st.sampled_from(BanKind), st.text(max_size=300))
def test_whatever_is_typed_is_a_subject_or_refused(kind: BanKind, who: str) -> None:
    try:
        kept = subject(kind, who)
    except Refused:
        return
    assert subject(kind, kept) == kept
    bans = banned(Ban(kind, kept))
    bans.of_address("10.0.0.7", NOW)
    bans.of_person("nedap:alice x", "alice", NOW)


@pytest.mark.parametrize("until", [LAST + 1, 1 << 62, -(1 << 62)])
def test_an_end_that_no_calendar_has_is_not_told(until: int) -> None:
    """As older versions have recorded it."""
    ban = Ban(BanKind.ADDRESS, "10.0.0.7", until, "spam")
    assert ban.sentence() == "you are banned: spam"
