"""The seed's dialect: who speaks it is answered in it, in rooms that hold both kinds."""

from tests.gateways.mug.stage import DOMAIN, GAME, MUG, ROOM, Client, Stage, canonical

W = "http://website.org/protocol/"
WMUG = W + "mug"
WGAME = WMUG + "/tictactoe"
JABBER = "http://jabber.org/protocol/"


def website(xml: str) -> str:
    """The same stanza as the other dialect writes it."""
    return xml.replace(JABBER, W).replace("jabber:x:data", "website:x:data")


ANNA = "anna@example.org/home"


class Website:
    """A client that writes as the Tic-tac-toe document does."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def says(self, xml: str) -> None:
        self.client.says(website(xml))

    async def told(self) -> list[str]:
        """What was said, and nothing of it in Jabber's dialect."""
        told = await self.client.told()
        assert not any(JABBER in one or "jabber:x:data" in one for one in told), told
        return told


def enters(nick: str) -> str:
    return f"<presence to='{ROOM}/{nick}'><game xmlns='{MUG}' var='{GAME}'/></presence>"


async def test_example_1_the_service_names_both_features(stage: Stage) -> None:
    garden = Website(stage.client("abc@example.org/garden"))
    garden.says(
        f"<iq type='get' id='disco1' to='{DOMAIN}'><query xmlns='{JABBER}disco#info'/></iq>"
    )
    (told,) = await garden.client.told()
    assert f"<query xmlns='{W}disco#info'>" in told
    for name in (WMUG, WGAME, MUG, GAME):
        assert f"<feature var='{name}'/>" in told


async def test_a_question_in_the_standard_names_is_answered_so_and_changes_nothing(
    stage: Stage,
) -> None:
    """Libraries ask what there is by themselves, whatever the client writes."""
    client = stage.client("abc@example.org/garden")
    garden = Website(client)
    garden.says(enters("abc"))
    await garden.told()
    query = f"<query xmlns='{JABBER}disco#info'/>"
    client.says(f"<iq type='get' id='disco1' to='{DOMAIN}'>{query}</iq>")
    (told,) = await client.told()
    assert f"<query xmlns='{JABBER}disco#info'>" in told
    stage.client(ANNA).enters("anna")
    client.says(f"<presence to='{ROOM}/abcd'/>")
    assert f"<game xmlns='{WMUG}'>" in (await garden.told())[-1]


async def test_example_2_the_configuration_form(stage: Stage) -> None:
    garden = Website(stage.client("abc@example.org/garden"))
    garden.says(enters("abc"))
    garden.says(f"<iq type='get' id='config1'><query xmlns='{MUG}#owner'><options/></query></iq>")
    told = (await garden.told())[-1]
    assert f"<query xmlns='{WMUG}#owner'><options><x xmlns='website:x:data' type='form'>" in told
    assert f"<options xmlns='{WGAME}'>" in told
    assert f"<value>{WGAME}#tictactoeconfig</value>" in told
    row = "<field var='mug/tictactoe#config_rows' type='list-single' label='Number of rows'>"
    assert f"{row}<value>3</value><option label='3'><value>3</value></option>" in told


async def seated(stage: Stage) -> tuple[Website, Client]:
    """A room of a client that writes as the document does; it plays x, another client o."""
    abc, anna = Website(stage.client("abc@example.org/garden")), stage.client(ANNA)
    abc.says(enters("abc"))
    abc.says(
        f"<iq type='set' id='1'><query xmlns='{MUG}#owner'><options>"
        "<x xmlns='jabber:x:data' type='submit'/></options></query></iq>"
    )
    await stage.settled()
    anna.enters("anna")
    abc.says(f"<presence><game xmlns='{MUG}'><item role='x'/></game></presence>")
    anna.takes_role("o")
    await anna.told()
    return abc, anna


def moves(abc: Website, number: int, row: int, col: int) -> None:
    abc.says(
        f"<message type='chat'><turn xmlns='{MUG}#user'>"
        f"<move xmlns='{GAME}' row='{row}' col='{col}' id='{number}'/></turn></message>"
    )


def shown(told: str) -> str:
    """The stanza with the marks in the order of their cells: the document shows another."""
    head, board, tail = told.partition("<board>")
    marks, end, rest = tail.partition("</board>")
    fields = sorted(f"<field{one}" for one in marks.split("<field") if one)
    return canonical(f"{head}{board}{''.join(fields)}{end}{rest}")


EXAMPLE_3 = f"""<presence from='{ROOM}'><game xmlns='{WMUG}'><status>inactive</status>
<state xmlns='{WGAME}'><rows>3</rows><cols>3</cols><strike>3</strike><next>x</next><board/></state>
</game></presence>"""

EXAMPLE_4 = f"""<presence from='{ROOM}'><game xmlns='{WMUG}'><status>active</status>
<state xmlns='{WGAME}'><rows>3</rows><cols>3</cols><strike>3</strike><next>o</next>
<board><field row='1' col='1'>x</field><field row='2' col='1'>o</field>
<field row='2' col='2'>x</field><field row='1' col='3'>o</field>
<field row='2' col='3'>x</field></board></state></game></presence>"""

EXAMPLE_5 = f"""<presence from='{ROOM}'><game xmlns='{WMUG}'><status>inactive</status>
<state xmlns='{WGAME}'><rows>3</rows><cols>3</cols><strike>3</strike><next>o</next><board/>
<won>x</won></state></game></presence>"""


async def test_examples_3_to_6_are_what_such_a_client_is_told(stage: Stage) -> None:
    """The start, the middle, the seventh move (row 3, col 2) and the end, as they are printed."""
    abc, anna = await seated(stage)
    assert canonical(EXAMPLE_3) in [canonical(one) for one in await abc.told()]
    abc.says(f"<message><start xmlns='{MUG}#user'/></message>")
    anna.starts()
    for number, (row, col) in enumerate([(1, 1), (2, 1), (2, 2), (1, 3), (2, 3)], 1):
        if number % 2:
            moves(abc, number, row, col)
        else:
            anna.moves(number, row, col)
    assert shown((await abc.told())[-1]) == shown(EXAMPLE_4)
    anna.moves(6, 3, 3)
    await stage.forget()
    moves(abc, 7, 3, 2)
    assert f"<turn xmlns='{WMUG}#user'>" in (await abc.told())[0]
    told = await anna.told()
    assert f"<turn xmlns='{MUG}#user'>" in told[0]
    assert "<field row='3' col='2'>x</field>" in told[1]
    assert W not in "".join(told)


async def test_example_5_ends_a_round_that_x_has_won(stage: Stage) -> None:
    abc, anna = await seated(stage)
    abc.says(f"<message><start xmlns='{MUG}#user'/></message>")
    anna.starts()
    for number, (row, col) in enumerate([(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)], 1):
        if number % 2:
            moves(abc, number, row, col)
        else:
            anna.moves(number, row, col)
    assert canonical((await abc.told())[-1]) == canonical(EXAMPLE_5)


async def test_errors_come_in_the_dialect_of_who_is_at_fault(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    abc = Website(stage.client("abc@example.org/garden"))
    abc.says(enters("abc"))
    await abc.told()
    abc.says(f"<message><start xmlns='{MUG}#user'/></message>")
    (told,) = await abc.told()
    assert f"<start xmlns='{WMUG}#user'/>" in told
    assert anna


async def test_pings_and_bare_presence_change_no_dialect(stage: Stage) -> None:
    await stage.table("anna")
    abc = Website(stage.client("abc@example.org/garden"))
    abc.says(enters("abc"))
    abc.says("<iq type='get' id='1'><ping xmlns='urn:xmpp:ping'/></iq>")
    abc.client.says(
        f"<presence to='{ROOM}/abc'><c xmlns='http://jabber.org/protocol/caps' ver='x'/></presence>"
    )
    abc.says(enters("abc"))
    await abc.told()


async def test_a_client_may_learn_the_other_dialect(stage: Stage) -> None:
    await stage.table("anna")
    client = stage.client("abc@example.org/garden")
    Website(client).says(enters("abc"))
    await Website(client).told()
    client.enters("abc")
    assert W not in "".join(await client.told())


async def test_two_sessions_of_one_nick_speak_differently(stage: Stage) -> None:
    anna, _ = await stage.table("anna", "ben")
    phone = Website(stage.client("ben@example.org/phone"))
    phone.says(enters("ben"))
    await stage.forget()
    anna.takes_role("x")
    assert f"<game xmlns='{WMUG}'>" in (await phone.told())[0]
    assert f"<game xmlns='{MUG}'>" in (await stage.client("ben@example.org/home").told())[0]


async def test_text_of_users_is_not_translated(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    phone = stage.client("ben@example.org/phone")
    Website(phone).says(enters("ben"))
    await stage.forget()
    body = f"<body>see {MUG} and website:x:data</body>"
    anna.says(f"<message to='{ROOM}/ben' type='chat'>{body}</message>")
    for session in (ben, phone):
        assert body in (await session.told())[0]
