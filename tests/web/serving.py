"""``plcfrs serve`` as a separate process, and its answers."""

from page_server import running

__all__ = ["refusal", "running", "upload"]


def refusal(response):
    """Return the status and the message of an error."""
    error = response.json()["error"]
    assert error["status"] == response.status_code
    return response.status_code, error["message"]


def upload(client, name, content):
    """Upload a treebank."""
    return client.post("/api/v1/treebanks", params={"name": name}, content=content)
