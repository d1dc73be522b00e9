"""``plcfrs serve`` as a separate process, and its answers."""

from page_server import running

__all__ = ["AMBIGUOUS", "SENTENCE", "parsed", "refusal", "running", "upload"]

SENTENCE = "What/WP should/MD we/PRP do/VB ?/."
AMBIGUOUS = "What/WP caused/VBD the/DT fire/NN at/IN the/DT mill/NN ?/."


def refusal(response):
    """Return the status and the message of an error."""
    error = response.json()["error"]
    assert error["status"] == response.status_code
    return response.status_code, error["message"]


def upload(client, name, content):
    """Upload a treebank."""
    return client.post("/api/v1/treebanks", params={"name": name}, content=content)


def parsed(client, text=SENTENCE, **wanted):
    """Return what the API says of a tagged sentence."""
    answer = client.post("/api/v1/parse", json={"text": text, "tagged": True, **wanted})
    assert answer.status_code == 200, answer.text
    return answer.json()
