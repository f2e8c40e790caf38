"""The seed's dialect: who speaks it is answered in it, in rooms that hold both kinds."""

from tests.gateways.mug.stage import DOMAIN, GAME, MUG, ROOM, Client, Stage, canonical

W = "http://website.org/protocol/"
WMUG = W + "mug"
WGAME = WMUG + "/tictactoe"
JABBER = "http://jabber.org/protocol/"


def website(xml: str) -> str:
    """The same stanza as the other dialect writes it."""
    return xml.replace(JABBER, W).replace("jabber:x:data", "website:x:data")


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


async def test_examples_3_to_6_a_game_between_the_dialects(stage: Stage) -> None:
    """Example 3 at the start, example 4 in the middle; example 6 is the seventh move."""
    abc = Website(stage.client("abc@example.org/garden"))
    anna = stage.client("anna@example.org/home")
    abc.says(enters("abc"))
    abc.says(
        f"<iq type='set' id='1'><query xmlns='{MUG}#owner'><options>"
        "<x xmlns='jabber:x:data' type='submit'/>"
        f"<options xmlns='{GAME}'><x xmlns='jabber:x:data' type='submit'>"
        f"<field var='FORM_TYPE'><value>{GAME}#tictactoeconfig</value></field>"
        "<field var='mug/tictactoe#config_rows'><value>4</value></field>"
        "<field var='mug/tictactoe#config_cols'><value>4</value></field>"
        "</x></options></options></query></iq>"
    )
    await stage.settled()
    anna.enters("anna")
    start = (await abc.told())[3]
    assert canonical(start) == canonical(
        f"<presence from='{ROOM}'><game xmlns='{WMUG}'><status>inactive</status>"
        f"<state xmlns='{WGAME}'><rows>4</rows><cols>4</cols><strike>3</strike>"
        "<next>x</next><board/></state></game></presence>"
    )
    abc.says(f"<presence><game xmlns='{MUG}'><item role='x'/></game></presence>")
    anna.takes_role("o")
    abc.says(f"<message><start xmlns='{MUG}#user'/></message>")
    anna.starts()
    await stage.forget()
    cells = [(1, 1), (2, 1), (2, 2), (1, 3), (2, 4), (4, 4)]
    for number, (row, col) in enumerate(cells, 1):
        if number % 2:
            abc.says(
                f"<message type='chat'><turn xmlns='{MUG}#user'>"
                f"<move xmlns='{GAME}' row='{row}' col='{col}' id='{number}'/></turn></message>"
            )
        else:
            anna.moves(number, row, col)
    told = await abc.told()
    assert all(f"<game xmlns='{WMUG}'>" in one for one in told[1::2])
    assert all(f"<turn xmlns='{WMUG}#user'>" in one for one in told[::2])
    assert "<field row='2' col='1'>o</field>" in told[-1]
    await stage.forget()
    abc.says(
        f"<message type='chat'><turn xmlns='{MUG}#user'>"
        f"<move xmlns='{GAME}' row='3' col='2' id='7'/></turn></message>"
    )
    assert f"<turn xmlns='{WMUG}#user'>" in (await abc.told())[0]
    told = await anna.told()
    assert f"<turn xmlns='{MUG}#user'>" in told[0]
    assert "<field row='3' col='2'>x</field>" in told[1]
    assert W not in "".join(told)


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
