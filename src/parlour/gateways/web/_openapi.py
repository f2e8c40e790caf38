"""The OpenAPI document: the routes as they are, with schemas made from the structs themselves."""

from typing import Any, NamedTuple, get_args

import msgspec
from msgspec import Struct

from parlour.gateways.web import _bodies as bodies
from parlour.gateways.web._guests import COOKIE
from parlour.gateways.web._requests import Request
from parlour.gateways.web._told import Told
from parlour.gateways.web._views import MatchView

TEXT = "text/plain"
CREATED = 201
TOKEN = {
    "name": "X-CSRF-Token",
    "in": "header",
    "required": True,
    "schema": {"type": "string"},
    "description": "the token of /api/me",
}
COOKIE_SCHEME = {
    "type": "apiKey",
    "in": "cookie",
    "name": COOKIE,
    "description": "set by GET /api/me",
}
LOCATION = {"location": {"description": "the match", "schema": {"type": "string"}}}
ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
PASSWORD = {"name": "X-Table-Password", "in": "header", "schema": {"type": "string"}}
QUERY = [
    {"name": "status", "in": "query", "schema": {"enum": ["open", "live", "finished"]}},
    {"name": "game", "in": "query", "schema": {"type": "string"}},
    {"name": "room", "in": "query", "schema": {"type": "string"}},
    {"name": "begun", "in": "query", "schema": {"enum": ["true", "false"]}},
    {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 200}},
    {
        "name": "offset",
        "in": "query",
        "schema": {"type": "integer", "minimum": 0, "maximum": 1 << 31},
    },
]


class Route(NamedTuple):
    """One operation as the document describes it."""

    path: str
    method: str
    summary: str
    answer: "type[Struct] | str"
    status: int = 200
    body: type[Struct] | None = None
    parameters: tuple[dict[str, Any], ...] = ()
    refusals: tuple[int, ...] = ()


MATCH = "/api/matches/{id}"
ROUTES = (
    Route("/api/me", "get", "Who the browser is", bodies.Me),
    Route("/api/me", "put", "Be called otherwise", bodies.Me, 200, bodies.NewName, (TOKEN,),
          (400, 403, 413, 415)),
    Route("/api/games", "get", "Every game and its options", bodies.Games),
    Route("/api/protocols", "get", "Where else one can connect", bodies.Protocols),
    Route("/api/matches", "get", "Public matches, the newest first", bodies.Listings,
          parameters=tuple(QUERY), refusals=(400,)),
    Route("/api/matches", "post", "Open a table", bodies.Opened, 201, bodies.NewTable, (TOKEN,),
          (400, 403, 409, 413, 415, 422, 503)),
    Route(MATCH, "get", "The whole state of a match", MatchView,
          parameters=(ID, PASSWORD), refusals=(403, 404, 503)),
    Route(f"{MATCH}/moves", "get", "What may be played", bodies.LegalMoves,
          parameters=(ID, PASSWORD), refusals=(403, 404, 503)),
    Route(f"{MATCH}/record.json", "get", "The record as JSON", "application/json",
          parameters=(ID, PASSWORD), refusals=(403, 404, 503)),
    Route(f"{MATCH}/record.sgf", "get", "The record as SGF", "application/x-go-sgf",
          parameters=(ID, PASSWORD), refusals=(403, 404, 503)),
    Route("/healthz", "get", "Whether the process runs", TEXT),
    Route("/readyz", "get", "Whether it can be used", TEXT, refusals=(503,)),
    Route("/metrics", "get", "Figures for Prometheus", TEXT, refusals=(403,)),
)  # fmt: skip


def document(version: str) -> dict[str, Any]:
    """The OpenAPI 3.1 document."""
    kinds: list[Any] = [bodies.Problem, *get_args(Request), *get_args(Told)]
    kinds += [route.answer for route in ROUTES if not isinstance(route.answer, str)]
    kinds += [route.body for route in ROUTES if route.body is not None]
    kinds = list(dict.fromkeys(kinds))
    schemas, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    named = dict(zip(kinds, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method] = _operation(route, named)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Parlour", "version": version},
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": {"guest": COOKIE_SCHEME}},
    }


def _operation(route: Route, named: dict[Any, Any]) -> dict[str, Any]:
    if isinstance(route.answer, str):
        content: dict[str, Any] = {route.answer: {}}
    else:
        content = {"application/json": {"schema": named[route.answer]}}
    answers: dict[str, Any] = {str(route.status): {"description": "done", "content": content}}
    problem = {"application/json": {"schema": named[bodies.Problem]}}
    for status in (*route.refusals, 429):
        answers[str(status)] = {"description": "refused", "content": problem}
    if route.status == CREATED:
        answers[str(CREATED)]["headers"] = LOCATION
    operation: dict[str, Any] = {"summary": route.summary, "responses": answers}
    if TOKEN in route.parameters:
        operation["security"] = [{"guest": []}]
    if route.parameters:
        operation["parameters"] = list(route.parameters)
    if route.body is not None:
        schema = named[route.body]
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema}},
        }
    return operation
