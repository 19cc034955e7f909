"""The API that is described for machines stays as it is: only descriptions and summaries may be worded anew.

`python -m tests.api.test_unchanged` writes the stored copy again, for a version that adds something.
"""

import json
from pathlib import Path
from typing import Any, Final

from starlette.testclient import TestClient

from elcapitan.web.app import application

STORED: Final = Path(__file__).with_name("openapi.json")
WORDING: Final = ("description", "summary")


def described() -> Any:
    """The document that a server sends, without its wording."""
    answer = TestClient(application(":memory:")).get("/api/v1/openapi.json")
    assert answer.status_code == 200
    return without_wording(answer.json())


def without_wording(part: Any, *, names: bool = False) -> Any:
    """Part of the document without descriptions and summaries; `names` says that its keys are names of properties."""
    if isinstance(part, list):
        return [without_wording(each) for each in part]
    if not isinstance(part, dict):
        return part
    return {
        key: without_wording(value, names=key == "properties" and not names)
        for key, value in part.items()
        if names or key not in WORDING or not isinstance(value, str)
    }


def test_the_description_for_machines_is_as_it_was_stored() -> None:
    assert described() == json.loads(STORED.read_text("utf-8"))


def test_only_wording_is_left_out() -> None:
    document = {
        "summary": "Said anew.",
        "properties": {"summary": {"type": "string", "description": "Said anew."}, "properties": {"summary": "x"}},
        "responses": [{"description": "Said anew.", "links": {"description": {"operationId": "act"}}}],
    }
    assert without_wording(document) == {
        "properties": {"summary": {"type": "string"}, "properties": {}},
        "responses": [{"links": {"description": {"operationId": "act"}}}],
    }


if __name__ == "__main__":
    STORED.write_text(json.dumps(described(), indent=1, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
