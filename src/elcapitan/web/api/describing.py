"""How the API describes itself: what can go wrong with an operation, and where an answer leads."""

from typing import Any, Final

from elcapitan.web.api.answering import News, Refused

TITLE: Final = "El Capitán"
VERSION: Final = "1"
PLACE: Final = "/api/v1"
DESCRIPTION: Final = """\
Tables to play El Capitán at, for programs. Whoever creates a game gets keys: one for the host, one for each seat of a
person, one to look on. Every request about a game shows one of them as `Authorization: Bearer KEY`. Whatever changes a
table carries the `number` of the table it was decided at; if something has happened since, it is refused as
`stale-move` and nothing is done. Actions and positions have the form of the bot protocol and of game records."""

WHY: Final = {
    401: "No key, or one that opens nothing",
    403: "The key does not open this",
    404: "There is no such game, seat or address",
    405: "The address does not answer to this method",
    409: "The table has changed in the meantime, or it is not your turn",
    413: "The request is too long",
    415: "What is sent is not called JSON",
    422: "The request is not as it must be, or the rules forbid it",
    429: "Too much at once: wait a moment",
    503: "Not possible at the moment",
}
OF_A_GAME: Final = (401, 403, 404, 422, 429)
SENT: Final = (413, 415)
# The operations that a game's name and a number lead to, with what else they need of the answer that led there.
GAME: Final = {"game": "$response.body#/game"}
LEADS_TO: Final = (
    "view",
    "legal",
    "events",
    "hint",
    "talk",
    "export",
    "undo",
    "redo",
    "wish",
    "answer",
    "say",
    "stand_in",
    "remove",
    "make_key",
    "end",
)

SCHEMAS: Final = "#/components/schemas/"
MESSAGE: Final = {
    "type": "object",
    "description": "One message of the stream",
    "properties": {
        "id": {"type": "string", "description": "To be sent as `since` or `Last-Event-ID` to go on from here"},
        "event": {"type": "string", "enum": ["message", "end"]},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"oneOf": [{"$ref": f"{SCHEMAS}News"}, {"$ref": f"{SCHEMAS}Refused"}]},
        },
    },
}


def with_news(description: dict[str, Any]) -> dict[str, Any]:
    """The description with what stands in the messages of a stream, which no answer has as its whole content."""
    news = News.model_json_schema(ref_template=f"{SCHEMAS}{{model}}", mode="serialization")
    described = description["components"]["schemas"]
    described.update({name: schema for name, schema in news.pop("$defs").items() if name not in described})
    described["News"] = news
    return description


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What can go wrong, for the description of an operation."""
    return {status: {"model": Refused, "description": WHY[status]} for status in statuses}


def of_a_game(*more: int) -> dict[int | str, dict[str, Any]]:
    """What can go wrong with a question about a game."""
    return refusals(*sorted({*OF_A_GAME, *more}))


def sent_to_a_game(*more: int) -> dict[int | str, dict[str, Any]]:
    """What can go wrong with whatever is sent to a game."""
    return of_a_game(*SENT, *more)


def from_a_new_game() -> dict[str, Any]:
    """What can be done with a game that was created."""
    links: dict[str, Any] = {name: {"operationId": name, "parameters": GAME} for name in LEADS_TO}
    links["join"] = {"operationId": "join", "requestBody": {"key": "$response.body#/watch_key"}}
    return links


def from_legal_actions() -> dict[str, Any]:
    """What can be done with the list of legal actions."""
    return _from_a_table("act", actions=["$response.body#/actions/0/action"])


def from_a_move(*operations: str) -> dict[str, Any]:
    """What can be done with a table on which something was just done."""
    return {name: link for operation in operations for name, link in _from_a_table(operation).items()}


def _from_a_table(operation: str, **more: Any) -> dict[str, Any]:
    """An operation on the same table, at the number that was told."""
    body = {"number": "$response.body#/number", **more}
    return {operation: {"operationId": operation, "parameters": {"game": "$request.path.game"}, "requestBody": body}}
