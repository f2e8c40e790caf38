"""What the owner of a room can set, and the form for it."""

import enum
from collections.abc import Sequence

from msgspec import Struct

from parlour.wire import clean
from parlour.wire.mug import Field, FormError, Submitted, boolean, exactly_single, single

PREFIX = "mug#roomconfig_"
OCCUPANTS = (2, 5, 10, 20, 30, 50)  # the choices of the example
TEXT_LONGEST = 200
CHATS_MOST = 5


class Anonymity(enum.StrEnum):
    """Who learns the JIDs of occupants: nobody, the owner, everybody inside."""

    FULLY = "fully-anonymous"
    SEMI = "semi-anonymous"
    NON = "non-anonymous"


class RoomConfig(Struct, frozen=True, omit_defaults=True):
    """A room as its owner wants it.

    `most_occupants` 0 is as many as the service allows; an empty `password` lets everybody in.
    With `lenient` an invalid turn is answered and costs nothing else.
    """

    title: str = ""
    description: str = ""
    moderated: bool = True
    allow_invites: bool = False
    most_occupants: int = 20
    public: bool = True
    members_only: bool = False
    anonymity: Anonymity = Anonymity.SEMI
    password: str = ""
    chat: tuple[str, ...] = ()
    lenient: bool = False


def config_fields(config: RoomConfig) -> list[Field]:
    """The form of "Configuring the Room", and one field of ours at its end."""
    counts = [(str(count), str(count)) for count in OCCUPANTS]
    most = str(config.most_occupants or "none")
    policy = "moderated" if config.moderated else "unmoderated"
    return [
        _text("roomname", "Natural-Language Room Name", config.title),
        _text("roomdesc", "Short Description of the Room", config.description),
        _list(
            "roompolicy",
            "Type of the Room Policy",
            policy,
            [("Moderated Room", "moderated"), ("Unmoderated Room", "unmoderated")],
        ),
        _flag("allowinvites", "Allow Occupants to Invite Others?", config.allow_invites),
        _list("maxusers", "Maximum Number of Occupants", most, [*counts, ("None", "none")]),
        _flag("publicroom", "Make Room Publicly Searchable?", config.public),
        _flag("membersonly", "Make Room Members-Only?", config.members_only),
        _list(
            "anonymity",
            "Type of the Anonymity",
            config.anonymity.value,
            [
                ("Fully-Anonymous Room", Anonymity.FULLY.value),
                ("Semi-Anonymous Room", Anonymity.SEMI.value),
                ("Non-Anonymous Room", Anonymity.NON.value),
            ],
        ),
        _flag("passwordprotectedroom", "Password Required to Enter?", bool(config.password)),
        Field(f"{PREFIX}roomsecret", "text-private", "Password", _values(config.password)),
        Field(f"{PREFIX}chat", "text-multi", "Communication Resource", config.chat),
        _flag("lenient", "Only Answer Invalid Turns?", config.lenient),
    ]


def _text(name: str, label: str, value: str) -> Field:
    return Field(f"{PREFIX}{name}", "text-single", label, _values(value))


def _flag(name: str, label: str, value: bool) -> Field:
    return Field(f"{PREFIX}{name}", "boolean", label, ("1" if value else "0",))


def _list(name: str, label: str, value: str, choices: Sequence[tuple[str, str]]) -> Field:
    return Field(f"{PREFIX}{name}", "list-single", label, (value,), tuple(choices))


def _values(text: str) -> tuple[str, ...]:
    return (text,) if text else ()


def _bounded(name: str, text: str) -> str:
    if len(text) > TEXT_LONGEST:
        raise FormError(f"{name} has more than {TEXT_LONGEST} characters")
    return text


class _Answers:
    """The submitted fields by their short names; what is not there stays as it was."""

    def __init__(self, submitted: Submitted) -> None:
        self._values = submitted.values

    def get(self, *names: str) -> tuple[str, ...] | None:
        return next(
            (self._values[PREFIX + name] for name in names if PREFIX + name in self._values), None
        )

    def text(self, was: str, *names: str) -> str:
        values = self.get(*names)
        if values is None:
            return was
        return clean(_bounded(names[0], single(names[0], values)), TEXT_LONGEST)

    def exactly(self, was: str, name: str) -> str:
        values = self.get(name)
        return was if values is None else _bounded(name, exactly_single(name, values))

    def flag(self, was: bool, name: str) -> bool:
        values = self.get(name)
        return was if values is None else boolean(name, values)

    def choice(self, was: str, name: str, choices: Sequence[str]) -> str:
        text = self.text(was, name)
        if text not in choices:
            raise FormError(f"{name} is {text!r}, not one of {', '.join(choices)}")
        return text


def read_config(config: RoomConfig, submitted: Submitted) -> RoomConfig:
    """The configuration with what was submitted put in.

    The fields `matchdesc` and `moderated` of older clients mean `roomdesc` and `roompolicy`.

    Raises:
        FormError: a value that is none of the choices, or a password that is wanted and blank.
    """
    answers = _Answers(submitted)
    policy = "moderated" if config.moderated else "unmoderated"
    older = answers.get("moderated")
    moderated = (
        boolean("moderated", older)
        if older is not None
        else answers.choice(policy, "roompolicy", ("moderated", "unmoderated")) == "moderated"
    )
    most = answers.choice(
        str(config.most_occupants or "none"), "maxusers", (*map(str, OCCUPANTS), "none")
    )
    return RoomConfig(
        title=answers.text(config.title, "roomname"),
        description=answers.text(config.description, "roomdesc", "matchdesc"),
        moderated=moderated,
        allow_invites=answers.flag(config.allow_invites, "allowinvites"),
        most_occupants=0 if most == "none" else int(most),
        public=answers.flag(config.public, "publicroom"),
        members_only=answers.flag(config.members_only, "membersonly"),
        anonymity=Anonymity(answers.choice(config.anonymity, "anonymity", tuple(Anonymity))),
        password=_password(config, answers),
        chat=_chat(config, answers),
        lenient=answers.flag(config.lenient, "lenient"),
    )


def _password(config: RoomConfig, answers: _Answers) -> str:
    if not answers.flag(bool(config.password), "passwordprotectedroom"):
        return ""
    # What others say to come in is compared character by character, so nothing is made prettier.
    password = answers.exactly(config.password, "roomsecret")
    if not password.strip():
        raise FormError("a password is required and blank")
    return password


def _chat(config: RoomConfig, answers: _Answers) -> tuple[str, ...]:
    lines = answers.get("chat")
    if lines is None:
        return config.chat
    chat = tuple(line.strip() for line in lines if line.strip())
    if len(chat) > CHATS_MOST or any(len(line) > TEXT_LONGEST for line in chat):
        raise FormError("too many communication resources, or too long ones")
    return chat
