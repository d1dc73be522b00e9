"""Which requests are allowed, and what responses tell browsers."""

import json
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from apart import run_apart
from fastapi.testclient import TestClient
from serving import running

from plcfrs.web.app import create_app
from plcfrs.web.store import Store


def test_local_names_are_served(serve):
    for host in ["localhost", "localhost:8000", "127.0.0.1:1", "[::1]:8000", "LOCALHOST"]:
        assert serve().get("/", headers={"Host": host}).status_code == 200


def test_other_names_are_refused(serve):
    for host in ["evil.example", "localhost.evil.example:8000", "", "127.0.0.1.x"]:
        response = serve().get("/api/v1/models", headers={"Host": host})
        assert response.status_code == 403
        assert response.json()["error"]["status"] == 403


def test_pages_of_others_are_refused(serve):
    client = serve()
    asked = {"json": {"text": "a"}}
    for origin, status in (
        ("http://evil.example", 403),
        ("null", 403),
        ("http://localhost:9", 403),
        ("https://localhost", 403),
        ("http://localhost", 200),
    ):
        response = client.post("/api/v1/parse", headers={"Origin": origin}, **asked)
        assert response.status_code == status
        assert "access-control-allow-origin" not in response.headers


def test_pages_of_others_cannot_even_get(serve):
    """A browser says of each request from which page it comes, also where there is no Origin."""
    client = serve()

    def get(path, **headers):
        named = {f"Sec-Fetch-{name.title()}": value for name, value in headers.items()}
        return client.get(path, headers=named).status_code

    for site in ("cross-site", "same-site"):
        for path in ("/api/v1/models", "/static/main.js", "/"):
            assert get(path, site=site) == 403
            assert get(path, site=site, mode="no-cors", dest="image") == 403
            assert get(path, site=site, mode="navigate", dest="iframe") == 403
        assert get("/", site=site, mode="navigate", dest="document") == 200  # a link
        assert get("/api", site=site, mode="navigate", dest="document") == 200  # a guide
        assert get("/api/v1/models", site=site, mode="navigate", dest="document") == 403
    for site in ("same-origin", "none"):
        assert get("/api/v1/models", site=site) == 200
    assert client.get("/api/v1/models").status_code == 200  # not a browser


def test_a_form_of_another_page_is_refused(serve):
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    answer = serve().post("/api/v1/parse", headers={**headers, "Sec-Fetch-Dest": "document"})
    assert answer.status_code == 403


def test_an_own_page_may_be_behind_a_web_server_with_encryption(demo):
    app = create_app(Store([str(demo)]), hosts=None)
    plain, encrypted = (
        TestClient(app, base_url=f"{scheme}://trees.example") for scheme in ("http", "https")
    )
    for client, origin, status in (
        (plain, "http://trees.example", 200),
        (plain, "https://trees.example", 200),  # it says so to nobody
        (encrypted, "https://trees.example", 200),
        (encrypted, "http://trees.example", 403),
        (plain, "https://trees.example:444", 403),
    ):
        asked = client.post("/api/v1/parse", headers={"Origin": origin}, json={"text": "a"})
        assert asked.status_code == status


def test_json_must_be_called_so(serve):
    # A foreign page may send text without a preflight request.
    response = serve().post(
        "/api/v1/parse", content='{"text": "a"}', headers={"Content-Type": "text/plain"}
    )
    assert response.status_code == 422


def test_nothing_from_elsewhere_is_allowed(serve):
    for path in ["/", "/static/main.js", "/api/v1/models", "/nothing"]:
        headers = serve().get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self';")
        assert headers["x-content-type-options"] == "nosniff"


def test_pages_need_nothing_from_elsewhere(serve):
    client = serve()
    for path in ("/", "/api", "/static/style.css", "/static/main.js", "/static/picture.js"):
        text = client.get(path).text
        assert "//" not in text.replace("// ", "")
        assert "<script>" not in text
        assert "style=" not in text


def test_what_is_sent_in_pieces_is_counted(serve):
    def pieces():
        for _ in range(3):
            yield b" " * 2**19

    response = serve(max_megabytes=1).post(
        "/api/v1/treebanks", params={"name": "a.export"}, content=pieces()
    )
    assert response.status_code == 413
    assert "1 MB" in response.json()["error"]["message"]


@pytest.mark.parametrize("length", [None, 14 * 2**20])
@pytest.mark.parametrize(("pieces", "read"), [(14, {14}), (30, {20, 22})])
def test_the_rest_is_read_before_it_is_refused(serve, length, pieces, read):
    app = serve(max_megabytes=1).app
    events = []

    async def receive():
        events.append("received")
        return {"type": "http.request", "body": b" " * 2**20, "more_body": pieces > len(events)}

    async def send(message):
        events.append(message.get("status", "sent"))

    headers = [(b"host", b"localhost"), (b"content-type", b"application/octet-stream")]
    if length:
        headers.append((b"content-length", str(length).encode()))
    scope = {"type": "http", "method": "POST", "path": "/api/v1/treebanks", "headers": headers}
    run_apart(app({**scope, "query_string": b"name=a.export"}, receive, send))
    *received, status, sent = events
    assert (status, sent) == (413, "sent")
    assert len(received) in read


@pytest.fixture(scope="module")
def address(demo):
    """The host and port of a server that takes 1 MB."""
    with running(demo, "--max-upload", "1") as (_, found):
        yield urlsplit(found).netloc


@pytest.mark.full
@pytest.mark.parametrize("in_pieces", [False, True])
def test_a_client_that_sends_all_of_it_reads_why_it_is_refused(address, in_pieces):
    piece = b" " * 2**20
    pieces = (piece for _ in range(14))
    connection = HTTPConnection(address, timeout=30)
    connection.request(
        "POST",
        "/api/v1/treebanks?name=a.export",
        body=pieces if in_pieces else piece * 14,
        encode_chunked=in_pieces,
    )
    answer = connection.getresponse()
    assert answer.status == 413
    error = json.load(answer)["error"]
    assert error["message"] == "the request is too large: the limit is 1 MB"
    connection.close()


@pytest.mark.full
def test_a_client_that_never_stops_is_cut_off(address):
    connection = HTTPConnection(address, timeout=30)

    def endless():
        while True:
            yield b" " * 2**20

    with pytest.raises(OSError):  # noqa: PT011 (what it is called depends on when it comes)
        connection.request(
            "POST", "/api/v1/treebanks?name=a.export", body=endless(), encode_chunked=True
        )
    connection.close()
