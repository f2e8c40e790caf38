"""One compact JSON object per line, read strictly and written in one form.

Source: RUC course network protocol, first paragraph: an operator and at most two data segments.
"""

import re

import msgspec

from parlour.wire._errors import WireError
from parlour.wire._lines import LineReader, Overlong
from parlour.wire._text import clean
from parlour.wire.ruc._frames import Frame, Malformed, Opcode

Heard = Frame | Malformed | WireError

OPCODES = {int(op): op for op in Opcode}
TAILS = {op: f'","op":{int(op)}}}\n' for op in Opcode}

# What every real peer sends, give or take the order of its keys: no escapes, each key once.
PLAIN = r'"([^"\\\x00-\x1f]*)"'
USUAL = re.compile(rf'\{{"data1":{PLAIN},"data2":{PLAIN},"op":([0-9]{{6}})\}}')
STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"')

FORM = 'write {"data1":"...","data2":"...","op":200000} in one line'
TEXT_LIMIT = 8192

_decode = msgspec.json.Decoder(dict[str, str | int | float | bool | None]).decode
_quote = msgspec.json.encode


class Codec:
    """Frames out of a byte stream, whatever its pieces; the same for both ends."""

    __slots__ = ("_lines",)

    def __init__(self) -> None:
        self._lines = LineReader()

    def feed(self, data: bytes) -> list[Heard]:
        """Give the frames that are whole; a `WireError` is last, and nothing comes after it."""
        heard: list[Heard] = []
        # Ours: a NUL spoils its line, as any control character spoils JSON, not the connection.
        for line in self._lines.feed(data.replace(b"\0", b"\1")):
            if isinstance(line, str):
                heard.append(_read(line))
            elif isinstance(line, Overlong):
                heard.append(Malformed(f"a line may have {line.limit} bytes: all of it is ignored"))
            else:
                heard.append(line)
        return heard


def encode(frame: Frame) -> bytes:
    """Write one line, data1 before data2 before op; text is cleaned, never cut into lines."""
    data1, data2 = frame.data1, frame.data2
    both = data1 + data2
    if both.isascii() and both.isprintable() and '"' not in both and "\\" not in both:
        return f'{{"data1":"{data1}","data2":"{data2}{TAILS[frame.op]}'.encode()
    first, second = _quote(clean(data1, TEXT_LIMIT)), _quote(clean(data2, TEXT_LIMIT))
    return b'{"data1":%b,"data2":%b,"op":%d}\n' % (first, second, frame.op)


def _read(line: str) -> Frame | Malformed:
    usual = USUAL.fullmatch(line)
    if usual is not None:
        op = OPCODES.get(int(usual[3]))
        return Frame(op, usual[1], usual[2]) if op is not None else _unknown(usual[3])
    return _read_any(line)


def _read_any(line: str) -> Frame | Malformed:
    try:
        pairs = _decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        return Malformed(f"not a flat JSON object ({clean(str(error), 100)}): {FORM}")
    # The decoder keeps the last of two equal keys. Outside its strings a flat object has exactly
    # one colon per pair, so a pair too many shows, however its key is spelt.
    if STRINGS.sub("", line).count(":") != len(pairs):
        return Malformed(f"a key stands twice: {FORM}")
    if "op" not in pairs:
        return Malformed(f"op is missing: {FORM}")
    number = pairs["op"]
    if type(number) is not int:
        return Malformed(f"op {_shown(number)} is not an integer: {FORM}")
    data1, data2 = pairs.get("data1", ""), pairs.get("data2", "")
    if not isinstance(data1, str):
        return Malformed(f"data1 {_shown(data1)} is not a string: {FORM}")
    if not isinstance(data2, str):
        return Malformed(f"data2 {_shown(data2)} is not a string: {FORM}")
    op = OPCODES.get(number)
    return Frame(op, data1, data2) if op is not None else _unknown(_shown(number))


def _unknown(number: str) -> Malformed:
    return Malformed(f"op {number} is unknown: 200000 to 200010 are known")


def _shown(value: str | float | bool | None) -> str:
    return clean(_quote(value).decode(), 40)
