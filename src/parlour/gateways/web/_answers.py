"""Answers of the REST half: JSON of structs, and refusals with their HTTP status."""

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from parlour.games import Refusal
from parlour.gateways.web._bodies import Problem
from parlour.gateways.web._declined import Declined, No

BODY_MOST = 1 << 14
STATUS: dict[str, int] = {
    No.MALFORMED: 400,
    No.FORBIDDEN: 403,
    No.GUEST: 403,
    No.PASSWORD: 403,
    No.NOT_FOUND: 404,
    No.NO_RECORD: 404,
    Refusal.UNKNOWN_STREAM: 404,
    No.NOT_ALLOWED: 405,
    Refusal.NAME_TAKEN: 409,
    No.TOO_LARGE: 413,
    No.UNSUPPORTED: 415,
    Refusal.BAD_OPTIONS: 422,
    Refusal.BANNED: 403,
    Refusal.LIMIT: 429,
    Refusal.MISTAKE: 500,
    Refusal.UNAVAILABLE: 503,
}
OTHERWISE = 409  # a rule of the match


def answer(content: Any, status: int = 200) -> Response:
    """A struct as JSON."""
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def problem(no: Declined) -> Response:
    """A refusal as JSON with the status that fits it."""
    response = answer(Problem(no.refusal, no.detail), STATUS.get(no.refusal, OTHERWISE))
    if response.status_code in (429, 503):
        response.headers["retry-after"] = "1"
    return response


async def read_body(request: Request) -> bytes:
    """The body of a write.

    Raises:
        Declined: UNSUPPORTED, TOO_LARGE.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Declined(No.UNSUPPORTED, "Content-Type must be application/json")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_MOST:
            raise Declined(No.TOO_LARGE, f"a body has at most {BODY_MOST} bytes")
    return body
