"""The page about the JSON API names everything that the application's own description has."""

from pathlib import Path

from plcfrs.web.app import create_app
from plcfrs.web.limits import Limits
from plcfrs.web.store import Store

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "http-api.md"


def test_every_request_parameter_and_key_is_on_the_page():
    api = create_app(Store((), (), Limits())).app.openapi()
    requests = [(path, *one) for path, methods in api["paths"].items() for one in methods.items()]
    expected = {f"{method.upper()} {path}" for path, method, _ in requests}
    for _, _, request in requests:
        expected.update(parameter["name"] for parameter in request.get("parameters", ()))
    for schema in api["components"]["schemas"].values():
        expected.update(schema["properties"])
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in sorted(expected) if f"`{name}`" not in text] == []
