"""Who is not let into a room has nothing to do there."""

from parlour.clients.ruc import RucLineClient
from parlour.wire.ruc import ErrorCode, encode, error_frame


def test_who_is_not_let_in_is_told_what_to_do() -> None:
    alice = RucLineClient("garden", "alice")
    alice.connected()

    no = error_frame(ErrorCode.INVALID_JOIN, "somebody in garden is called alice")
    step = alice.received(encode(no))

    assert (step.send, step.done, step.failed) == (b"", True, True)
    assert step.show.startswith("! INVALID_JOIN: somebody in garden is called alice\n")
    assert "another --name" in step.show
