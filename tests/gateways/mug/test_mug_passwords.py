"""A password is what its owner wrote, character by character."""

from xml.sax.saxutils import escape

import pytest

from tests.gateways.mug.stage import Client, Stage

# Each with others that look the same, or that a careless reader would make the same.
PASSWORDS = {
    "spaces-around": ("  open sesame ", ["open sesame", "  open sesame"]),
    "tab": ("open\tsesame", ["open sesame", "opensesame"]),
    "line-break": ("open\nsesame", ["open sesame"]),
    "override": ("\u202eemases", ["emases", " emases"]),
    "noncharacter": ("a\U0001ffffb", ["a\ufffdb"]),
    "wide": ("\uff4f\uff50\uff45\uff4e", ["open"]),
    "accent": ("caf\u00e9", ["cafe\u0301", "cafe"]),
    "markup": ("<a> & 'b'", ["&lt;a&gt; &amp; 'b'"]),
}


def says_password(client: Client, password: str) -> None:
    client.enters("ben", f"<password>{escape(password)}</password>")


@pytest.mark.parametrize(("password", "others"), PASSWORDS.values(), ids=PASSWORDS)
async def test_a_password_opens_and_what_resembles_it_does_not(
    stage: Stage, password: str, others: list[str]
) -> None:
    anna = stage.client("anna@example.org/home")
    anna.enters("anna")
    written = "".join(f"&#{ord(one)};" for one in password)  # nothing on the way may touch it
    anna.configures(f"passwordprotectedroom=1\nroomsecret={written}")
    await stage.forget()
    ben = stage.client("ben@example.org/home")
    for other in others:
        says_password(ben, other)
        await ben.is_refused("not-authorized", "auth")
    says_password(ben, password)
    assert "<item affiliation='none'/>" in (await ben.told())[-1]


async def test_a_password_too_long_is_refused_and_not_cut(stage: Stage) -> None:
    anna = stage.client("anna@example.org/home")
    anna.enters("anna")
    await anna.told()
    anna.configures(f"passwordprotectedroom=1\nroomsecret={'a' * 201}")
    await anna.is_refused("not-acceptable", "modify")


async def test_a_password_of_spaces_is_none(stage: Stage) -> None:
    anna = stage.client("anna@example.org/home")
    anna.enters("anna")
    await anna.told()
    anna.configures("passwordprotectedroom=1\nroomsecret=&#32;&#32;")
    await anna.is_refused("not-acceptable", "modify")


async def test_after_five_wrong_passwords_a_bare_jid_is_not_listened_to_for_a_minute(
    stage: Stage,
) -> None:
    anna = stage.client("anna@example.org/home")
    anna.enters("anna")
    anna.configures("passwordprotectedroom=1\nroomsecret=sesame")
    await stage.forget()
    ben, elsewhere = (stage.client(f"ben@example.org/{one}") for one in ("home", "work"))
    carl = stage.client("carl@example.org/home")
    for _ in range(10):  # who says none is only asking
        ben.enters("ben")
        await ben.is_refused("not-authorized", "auth")
        stage.now += 100
    for number in range(5):
        says_password(ben if number % 2 else elsewhere, f"{number}")
        await (ben if number % 2 else elsewhere).is_refused("not-authorized", "auth")
        stage.now += 100

    for guess in ("5", "sesame"):
        says_password(ben, guess)
        await ben.is_refused("resource-constraint", "wait")
    carl.enters("carl", "<password>sesame</password>")
    assert "<item affiliation='none'/>" in (await carl.told())[-1]

    stage.now += 60_000
    says_password(ben, "sesame")
    assert "<item affiliation='none'/>" in (await ben.told())[-1]


async def test_strangers_guess_no_more_by_coming_under_other_jids(stage: Stage) -> None:
    """A guest of a server without accounts has another bare JID with each connection."""
    anna = stage.client("anna@example.org/home")
    anna.enters("anna")
    anna.configures("passwordprotectedroom=1\nroomsecret=sesame")
    ben, ben_too = (stage.client(f"ben@example.org/{one}") for one in ("home", "work"))
    says_password(ben, "sesame")
    await stage.forget()
    guests = [stage.client(f"guest-{number}@anonymous.localhost/x") for number in range(9)]
    for number in range(30):
        guests[number // 4].enters("eve", f"<password>{number}</password>")
        await guests[number // 4].is_refused("not-authorized", "auth")
    for guess in ("30", "sesame"):
        guests[8].enters("eve", f"<password>{guess}</password>")
        await guests[8].is_refused("resource-constraint", "wait")

    says_password(ben_too, "sesame")  # who is inside already
    assert "<item affiliation='none'/>" in (await ben_too.told())[-1]
    anna_too = stage.client("anna@example.org/work")
    anna_too.enters("anna", "<password>wrong</password>")
    await anna_too.is_refused("not-authorized", "auth")
    anna_too.enters("anna", "<password>sesame</password>")
    assert "<status>" in (await anna_too.told())[0]

    stage.now += 60_000
    guests[8].enters("eve", "<password>sesame</password>")
    assert "<item affiliation='none'/>" in (await guests[8].told())[-1]
