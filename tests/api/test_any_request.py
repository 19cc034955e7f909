"""Any request at all, as schemathesis makes them up from the description: no failure of ours, no answer undescribed.

It follows the links of the description, so that games are created and then looked at, played, taken back and ended.
Most of the time a key is shown that opens the game.
"""

import contextlib
from collections.abc import Iterator
from typing import Any, TypeAlias

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode, Response
from schemathesis.core.result import Ok
from schemathesis.python import asgi
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import ignored_auth, negative_data_rejection, positive_data_acceptance
from tests.api.visiting import API, application, bearer

Case: TypeAlias = schemathesis.Case[Any]
CALM = settings(
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
SEQUENCES = settings(CALM, max_examples=8, stateful_step_count=14)
MORE = (1, 4, 16)  # times as many, until all has been reached: what is made up depends on everything that is loaded
SINGLE = settings(CALM, max_examples=10)
# Few operations at a time, so that what is made up does not stay at the door; some that must go well now and then.
VISITS = {
    ("legal", "act"): ("undo",),
    ("view",): ("undo", "redo", "wish", "answer"),
    ("stand_in", "remove", "make_key", "end"): ("act",),
    ("join", "events", "talk", "say", "export"): ("view",),
}
OF_HOSTS = ("/end", "/remove", "/stand-in", "/keys")
WRONG = 7  # one request in so many shows a key that opens nothing


class Keys:
    """The keys of all games that were created, to be shown when such a game is asked for."""

    def __init__(self) -> None:
        self._of: dict[str, list[str]] = {}
        self._next: dict[str, dict[str, Any]] = {}  # a legal action of each game whose actions were listed
        self._asked = 0

    def show(self, case: Case) -> None:
        """Add a key to a request: for what the host does that of the host, else of the seat that begins, mostly."""
        self._asked += 1
        keys = self._of.get(str(case.path_parameters.get("game")), ["nothing"])
        mostly = keys[0] if case.operation.path.endswith(OF_HOSTS) else keys[1 % len(keys)]
        often = keys[self._asked % len(keys)] if self._asked % 3 == 0 else mostly
        case.headers.update(bearer("nothing" if self._asked % WRONG == 0 else often))
        if case.operation.path.endswith("/events"):
            case.query["once"] = "true"

    def lead(self, case: Case) -> None:
        """Help a request through the door, most of the time: what is made up mostly stays there."""
        if self._of and "game" in case.path_parameters and self._asked % 4:
            case.path_parameters["game"] = next(reversed(self._of))
        if not isinstance(case.body, dict):
            return
        if case.operation.path.endswith("/actions") and self._next and self._asked % 2:
            game = case.path_parameters["game"] = next(reversed(self._next))
            case.body.update(self._next[game])
            return
        if case.operation.path == "/games":
            case.body.pop("webhook", None)
            case.body.update(seed=7, first=0)  # the same requests get the same answers
            seats: Any = case.body.get("seats")
            with contextlib.suppress(LookupError, TypeError):  # whatever stands there instead
                seats[0]["player"] = "friend"
        if self._asked % 2:
            case.body.pop("count", None)
            if isinstance(actions := case.body.get("actions"), list):
                case.body["actions"] = actions[:1]  # what a link has brought, if it was one

    def learn(self, case: Case, response: Response) -> None:
        """Remember the keys of a new game, and what can be done there."""
        if response.status_code == 201 and case.operation.path == "/games":
            made = response.json()
            self._of[made["game"]] = [made["host_key"], *(each["key"] for each in made["seat_keys"])]
        if response.status_code == 200 and case.operation.definition.raw["operationId"] == "legal":
            listed = response.json()
            self._next.pop(case.path_parameters["game"], None)
            if listed["yours"] and listed["actions"]:
                doing = {"number": listed["number"], "actions": [listed["actions"][0]["action"]]}
                self._next[case.path_parameters["game"]] = doing


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BaseSchema]:
    app = application(tmp_path_factory.mktemp("house"), public=False)
    yield schemathesis.openapi.from_asgi(f"{API}/openapi.json", app)
    asgi.shutdown_lifespans()


@pytest.mark.parametrize("reached", VISITS)
def test_any_order_of_requests_is_answered_as_described(schema: BaseSchema, reached: tuple[str, ...]) -> None:
    answered: dict[str, set[int]] = {}
    of_these = schema.include(operation_id=["create", *reached, *VISITS[reached]])

    class Visit(of_these.as_state_machine()):  # type: ignore[misc]
        def setup(self) -> None:
            self.keys = Keys()

        def before_call(self, case: Case) -> None:
            self.keys.lead(case)
            self.keys.show(case)

        def after_call(self, response: Response, case: Case) -> None:
            self.keys.learn(case, response)
            answered.setdefault(case.operation.definition.raw["operationId"], set()).add(response.status_code)
            super().after_call(response, case)

        def validate_response(self, response: Response, case: Case, **more: Any) -> None:
            # Keys that were made up are replaced by good ones here, so an answer to them is no mistake.
            left_out = [positive_data_acceptance, negative_data_rejection, ignored_auth]
            case.validate_response(response, excluded_checks=left_out)

    missed = list(reached)
    for more in MORE:
        if missed:
            Visit.run(settings=settings(SEQUENCES, max_examples=more * SEQUENCES.max_examples))
            missed = [name for name in reached if not answered.get(name, set()) & {200, 201}]
    assert not missed, answered


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_any_single_request_is_answered_as_described(schema: BaseSchema, mode: GenerationMode) -> None:
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        with contextlib.suppress(Unsatisfiable):  # nothing can be wrong where nothing is sent
            try_out(found.ok(), mode)


def try_out(operation: Any, mode: GenerationMode) -> None:
    """Send some requests to an operation, such as it wants or such as it must refuse."""
    keys = Keys()

    @SINGLE
    @given(case=operation.as_strategy(generation_mode=mode))
    def answered(case: Case) -> None:
        keys.show(case)
        case.call_and_validate(excluded_checks=[positive_data_acceptance])

    answered()
