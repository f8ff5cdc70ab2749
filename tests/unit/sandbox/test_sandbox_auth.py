from __future__ import annotations

import pytest

from dbplanet.sandbox import COLLEAGUES, CREDENTIALS, Credentials

GOOD = {"grant_type": "password", "username": CREDENTIALS.username, "password": CREDENTIALS.password}
CLIENT = (CREDENTIALS.client_id, CREDENTIALS.client_secret)
TOKEN = "/api/oauth/token"


@pytest.mark.parametrize("way", ["data", "query_string"])
def test_the_token_endpoint_takes_form_and_query_parameters(client, way):
    answer = client.post(TOKEN, auth=CLIENT, **{way: GOOD})
    assert answer.status_code == 200
    assert set(answer.json) == {"access_token", "token_type", "refresh_token", "expires_in", "scope"}
    assert (answer.json["expires_in"], answer.json["scope"]) == (3599, "read write")
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("client_auth", "form", "status", "error"),
    [
        (None, GOOD, 401, "invalid_client"),
        (("sandbox-client", "wrong"), GOOD, 401, "invalid_client"),
        (CLIENT, GOOD | {"password": "wrong"}, 400, "invalid_grant"),
        (CLIENT, GOOD | {"username": "nobody"}, 400, "invalid_grant"),
        (CLIENT, {"grant_type": "password"}, 400, "invalid_grant"),
        (CLIENT, GOOD | {"grant_type": "implicit"}, 400, "unsupported_grant_type"),
        (CLIENT, {"grant_type": "refresh_token", "refresh_token": "x"}, 400, "invalid_grant"),
    ],
)
def test_a_wrong_token_request_is_refused_in_the_words_of_oauth(client, client_auth, form, status, error):
    answer = client.post(TOKEN, auth=client_auth, data=form)
    assert (answer.status_code, answer.json["error"]) == (status, error)
    assert answer.json["error_description"]


def test_a_refresh_token_gets_a_new_access_token(client, sign_in):
    first = sign_in(client, CREDENTIALS).json
    again = client.post(
        TOKEN, auth=CLIENT, data={"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    )
    assert again.json["access_token"] not in (None, first["access_token"])


@pytest.mark.parametrize("credentials", [CREDENTIALS, *COLLEAGUES], ids=lambda c: c.username)
def test_every_account_is_its_own_user(client, credentials, person):
    assert person(client, credentials).get("/api/users/me")["loginName"] == credentials.username


def test_credentials_are_obviously_fake():
    for account in (CREDENTIALS, *COLLEAGUES):
        assert account.password.startswith("sandbox-only-")
        assert account.client_secret.startswith("sandbox-only-")


@pytest.mark.parametrize("header", [None, "Bearer unknown", "Bearer", "Basic eDp5"])
@pytest.mark.parametrize("path", ["/api/users/me", "/web/users/me", "/api/no-such-route"])
def test_without_a_valid_bearer_token_every_path_is_401_with_a_json_body(client, header, path):
    answer = client.get(path, headers={"Authorization": header} if header else {})
    assert (answer.status_code, answer.json["error"]) == (401, "invalid_token")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer ")


def test_an_expired_token_is_401(make_sandbox, person, sign_in):
    client = make_sandbox(token_seconds=0).test_client()
    assert sign_in(client, CREDENTIALS).json["expires_in"] == 0
    assert person(client, CREDENTIALS).call("GET", "/api/users/me").status_code == 401


def test_expire_tokens_ends_all_tokens_and_new_ones_work(client, anna, person):
    assert client.post("/__sandbox__/expire-tokens").status_code == 204
    assert anna.call("GET", "/api/users/me").status_code == 401
    assert person(client, CREDENTIALS).get("/api/users/me")["displayName"] == "Anna Schmidt"


def test_a_refresh_token_is_no_access_token(client, sign_in):
    refresh = sign_in(client, CREDENTIALS).json["refresh_token"]
    answer = client.get("/api/users/me", headers={"Authorization": f"Bearer {refresh}"})
    assert answer.status_code == 401


def test_the_client_accepts_credentials_of_one_account_only_with_its_own_password(client, sign_in):
    mixed = Credentials(CREDENTIALS.username, COLLEAGUES[0].password)
    assert sign_in(client, mixed).json["error"] == "invalid_grant"
