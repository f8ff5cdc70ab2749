import pytest

from dbplanet.settings import Settings, SettingsError
from support.mcp import PATH, make_app, post

TOKENS = "not-a-real-token-1, not-a-real-token-2"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.mark.parametrize("header", ["Bearer not-a-real-token-1", "bearer  not-a-real-token-2 "])
def test_either_token_opens_the_door(header):
    assert post(make_app(ACCESS_TOKENS=TOKENS), PING, {"Authorization": header}).status_code == 200


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer not-a-real-token-3",
        "Basic not-a-real-token-1",
        "not-a-real-token-1",
        "Bearer ü",
    ],
)
def test_anything_else_is_unauthorized_and_challenged(header):
    headers = {} if header is None else {"Authorization": header}
    response = post(make_app(ACCESS_TOKENS=TOKENS), PING, headers)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"].startswith("Bearer")
    assert response.get_json()["error"]["code"] == -32600
    assert "token-1" not in response.text


def test_health_and_preflights_need_no_token():
    client = make_app(ACCESS_TOKENS=TOKENS).test_client()
    assert client.get("/health").status_code == 200
    assert client.options(PATH, headers={"Origin": "http://localhost:1"}).status_code == 204
    assert client.get(PATH).status_code == 401


OPERATOR = {
    "USERNAME": "a",
    "PASSWORD": "b",
    "CLIENT_ID": "c",
    "CLIENT_SECRET": "d",
    "BASE_URL": "https://t.example",
    "ALLOW_DEFAULT_CREDENTIALS": "true",
}


@pytest.mark.parametrize("settings", [OPERATOR, {"SERVERS": "clubber"}])
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.1.2.3", "example.org"])
def test_an_open_door_does_not_start_without_tokens(settings, host):
    with pytest.raises(SettingsError, match="ACCESS_TOKENS"):
        Settings.load({**settings, "HOST": host})
    assert Settings.load({**settings, "HOST": host, "ACCESS_TOKENS": TOKENS}).host.strip("[]") == host


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "[::1]", "localhost"])
def test_loopback_is_no_open_door(host):
    assert Settings.load({**OPERATOR, "HOST": host}).host.strip("[]") == host.strip("[]")


def test_callers_with_credentials_of_their_own_may_come_from_anywhere():
    assert Settings.load({"HOST": "0.0.0.0"}).host == "0.0.0.0"


def test_a_short_token_is_refused_and_not_shown():
    with pytest.raises(SettingsError, match="its value has a token") as caught:
        Settings.load({"ACCESS_TOKENS": "abc"})
    assert "abc" not in str(caught.value)
