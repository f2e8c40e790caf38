"""The codecs of the three protocols of plain sockets, both ends of each."""

from parlour.wire import Malformed, WireError, nedap, ruc, textbook
from tests.fuzz.pieces import is_fit_to_show, read_whole_and_cut

LINE_MOST = 8192 + 1


def check_textbook_server(data: bytes) -> None:
    """What a server hears of a textbook client."""
    heard = read_whole_and_cut(textbook.ServerCodec, data)
    assert len(heard) <= 1 + len(data) // 8
    for one in heard:
        if isinstance(one, WireError):
            assert is_fit_to_show(str(one))
            continue
        # GET followed by anything is a move where it is not the first one.
        again = textbook.ServerCodec().feed(bytes(8) + textbook.encode_move(one))
        assert again == [textbook.Move(0, 0), one]


def check_textbook_client(data: bytes) -> None:
    """What a client hears of a textbook server."""
    heard = read_whole_and_cut(textbook.ClientCodec, data)
    assert len(heard) <= 1 + len(data) // 4
    for number, one in enumerate(heard):
        match one:
            case WireError():
                assert is_fit_to_show(str(one))
            case textbook.Role(player):
                assert number == 0
                assert player in (1, 2)
            case textbook.Start():
                assert number == 1
            case textbook.Move():
                assert isinstance(heard[number - 1], textbook.Result)
            case textbook.Result():
                pass


def check_nedap_server(data: bytes) -> None:
    """What a server hears of a Go client."""
    heard = read_whole_and_cut(nedap.ServerCodec, data)
    assert len(heard) <= 1 + data.count(b"\n")
    for one in heard:
        if isinstance(one, Malformed):
            assert is_fit_to_show(one.detail)
        elif isinstance(one, WireError):
            assert is_fit_to_show(str(one))
        elif not isinstance(one, nedap.Unknown):
            (again,) = nedap.ServerCodec().feed(_nedap(one))
            assert not isinstance(again, Malformed | WireError)
            assert again == one or isinstance(one, nedap.Chat)
            assert _nedap(again) == _nedap(one)


def check_nedap_client(data: bytes) -> None:
    """What a client hears of a Go server; what can be written is read as the same again."""
    heard = read_whole_and_cut(nedap.ClientCodec, data)
    assert len(heard) <= 1 + data.count(b"\n")
    for one in heard:
        if isinstance(one, Malformed):
            assert is_fit_to_show(one.detail)
            continue
        if isinstance(one, WireError):
            assert is_fit_to_show(str(one))
            continue
        if isinstance(one, nedap.Unknown):
            assert is_fit_to_show(one.keyword)
            continue
        try:
            line = _nedap(one)
        except ValueError:  # a name or a colour that our own server would not write
            continue
        (again,) = nedap.ClientCodec().feed(line)
        assert not isinstance(again, Malformed | WireError)
        assert _nedap(again).split() == line.split()  # real servers write spaces too many


def _nedap(message: nedap.ClientMessage | nedap.ServerMessage) -> bytes:
    line = nedap.encode(message)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert len(line) <= LINE_MOST
    return line


def check_ruc(data: bytes) -> None:
    """What either end hears of Chinese checkers."""
    heard = read_whole_and_cut(ruc.Codec, data)
    assert len(heard) <= 1 + data.count(b"\n")
    for one in heard:
        if isinstance(one, ruc.Malformed | Malformed):
            assert is_fit_to_show(one.detail)
        elif isinstance(one, WireError):
            assert is_fit_to_show(str(one))
        else:
            _check_frame(one)


def _check_frame(frame: ruc.Frame) -> None:
    line = ruc.encode(frame)
    assert line.count(b"\n") == 1
    (again,) = ruc.Codec().feed(line)
    assert isinstance(again, ruc.Frame)
    assert ruc.encode(again) == line
    for data in (frame.data1, frame.data2):
        path = ruc.parse_path(data)
        if isinstance(path, ruc.Malformed):
            assert is_fit_to_show(path.detail)
        else:
            assert ruc.parse_path(ruc.canonical(path)) == path
        assert all(ruc.read_names(data))
        time = ruc.read_time(data)
        assert time is None or 0 <= time < 10**15
        code = ruc.read_error(data)
        assert code is None or ruc.read_error(str(code.value)) is code
