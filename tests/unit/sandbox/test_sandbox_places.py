"""Workspaces, pages and people."""

from __future__ import annotations

import pytest

from dbplanet.sandbox import entity_id

ANNA = entity_id("user/anna.schmidt")
JONAS = entity_id("user/jonas.weiss")


def test_the_tenant_is_large_enough_to_page_through(jonas):
    sizes = {kind: jonas.get(f"/api/{kind}")["totalElements"] for kind in ("users", "workspaces", "pages")}
    assert sizes == {"users": 34, "workspaces": 7, "pages": 7}
    visibilities = {item["visibility"] for item in jonas.get("/api/workspaces")["content"]}
    assert visibilities == {"PUBLIC", "PROTECTED", "PRIVATE"}


def test_workspaces_show_visibility_and_own_membership(anna):
    listed = {item["slug"]: item for item in anna.get("/api/workspaces")["content"]}
    states = {slug: (item["visibility"], item["membershipStatus"]) for slug, item in listed.items()}
    assert states["brueckenbau"] == ("PUBLIC", "NONE")
    assert states["digitale-schiene"] == ("PUBLIC", "APPROVED")
    assert states["notfallmanagement"] == ("PROTECTED", "NONE")
    assert states["sommerfest-orga"] == ("PRIVATE", "INVITED")
    assert "tarif-intern" not in states


@pytest.mark.parametrize("key", ["brueckenbau", entity_id("workspace/brueckenbau")])
def test_a_workspace_is_read_by_id_or_slug(anna, key):
    found = anna.get(f"/api/workspaces/{key}")
    assert (found["name"], found["memberCount"]) == ("Brückenbau & Tunnel", 7)
    assert anna.get(f"/api/senders/{key}")["id"] == found["id"]


@pytest.mark.parametrize("call", [("GET", ""), ("GET", "/members"), ("PUT", "/members/join")])
def test_a_private_workspace_does_not_exist_for_others(anna, jonas, call):
    method, suffix = call
    assert anna.refused(method, f"/api/workspaces/tarif-intern{suffix}")[:2] == (404, "NOT_FOUND")
    assert jonas.call(method, f"/api/workspaces/tarif-intern{suffix}").status_code == 200


@pytest.mark.parametrize(
    ("slug", "before", "after"),
    [
        ("brueckenbau", "NONE", "APPROVED"),
        ("notfallmanagement", "NONE", "REQUESTED"),
        ("sommerfest-orga", "INVITED", "APPROVED"),
        ("digitale-schiene", "APPROVED", "APPROVED"),
    ],
    ids=["public", "protected", "invited", "member"],
)
def test_joining_moves_the_membership_once(anna, slug, before, after):
    path = f"/api/workspaces/{slug}"
    assert anna.get(path)["membershipStatus"] == before
    for _ in range(2):
        joined = anna.put(f"{path}/members/join")
        assert (joined["status"], joined["role"], joined["user"]["id"]) == (after, {"name": "USER"}, ANNA)
    assert anna.get(path)["membershipStatus"] == after
    member_ids = [member["user"]["id"] for member in anna.get(f"{path}/members")["content"]]
    assert (ANNA in member_ids) == (after == "APPROVED")


def test_an_admin_is_told_who_joined(anna, jonas):
    anna.put("/api/workspaces/brueckenbau/members/join")
    anna.put("/api/workspaces/brueckenbau/members/join")
    news = jonas.get("/api/notifications", category="ACTIVITY")["content"]
    assert [(item["typeName"], item["author"]["displayName"]) for item in news] == [
        ("workspace-joined", "Anna Schmidt")
    ]


def test_members_have_a_role_object(anna):
    members = anna.get("/api/workspaces/brueckenbau/members", _pageSize=2)
    assert members["totalElements"] == 7
    assert [member["role"]["name"] for member in members["content"]] == ["ADMIN", "ADMIN"]
    assert members["content"][0]["user"]["email"] == "jonas.weiss@dbplanet.example"


def test_workspaces_are_narrowed_by_term_and_filters(anna):
    assert [w["slug"] for w in anna.get("/api/workspaces", term="balise")["content"]] == ["digitale-schiene"]
    assert [w["slug"] for w in anna.get("/api/workspaces", filters="archived=true")["content"]] == [
        "lz-umbau-2019"
    ]
    building = anna.get("/api/workspaces", filters="categories=cat-bau")["content"]
    assert {w["slug"] for w in building} == {"brueckenbau", "lz-umbau-2019"}


def test_a_new_workspace_has_its_creator_as_admin(anna, jonas):
    form = {
        "name": "Gleisbau-Größen 🚧",
        "description": "Für alle",
        "visibility": "PRIVATE",
        "memberIds": [JONAS],
    }
    made = anna.post("/api/workspaces", form)
    assert (made["slug"], made["membershipStatus"], made["memberCount"]) == (
        "gleisbau-grossen",
        "APPROVED",
        2,
    )
    assert anna.get(f"/api/workspaces/{made['id']}")["description"] == "Für alle"
    members = jonas.get(f"/api/workspaces/{made['slug']}/members")["content"]
    assert {m["user"]["id"]: m["role"]["name"] for m in members} == {ANNA: "ADMIN", JONAS: "USER"}
    assert anna.get("/api/search", term="Gleisbau-Größen")["totalElements"] == 1


NEW = {
    "workspaces": {"name": "Neu", "visibility": "PUBLIC"},
    "pages": {"name": "Neu", "visibility": "PUBLIC", "adminIds": [ANNA]},
}


@pytest.mark.parametrize("kind", NEW)
@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"name": None}, ["name"]),
        ({"name": "  "}, ["name"]),
        ({"name": 7}, ["name"]),
        ({"name": "x" * 256}, ["name"]),
        ({"visibility": None}, ["visibility"]),
        ({"visibility": "SECRET"}, ["visibility"]),
        ({"memberIds": ["nobody"]}, ["memberIds"]),
        ({"memberIds": "x"}, ["memberIds"]),
        ({"description": {"text": "x"}}, ["description"]),
    ],
    ids=str,
)
def test_a_bad_form_is_400_and_names_the_field(anna, kind, change, fields):
    refused = anna.refused("POST", f"/api/{kind}", json=NEW[kind] | change)
    assert refused == (400, "INVALID_ARGUMENTS", fields)


@pytest.mark.parametrize("kind", NEW)
def test_a_name_is_taken_once_and_readers_create_nothing(anna, mehmet, kind):
    made = anna.post(f"/api/{kind}", NEW[kind])
    answer = anna.call("POST", f"/api/{kind}", json=NEW[kind] | {"name": "NEU"})
    assert (answer.status_code, answer.json["errorStatus"]) == (409, "NAME_TAKEN")
    assert answer.json["context"] == {"name": "NEU"}
    assert mehmet.refused("POST", f"/api/{kind}", json=NEW[kind] | {"name": "Anders"})[0] == 403
    assert anna.get(f"/api/{kind}/{made['slug']}")["id"] == made["id"]


def test_a_form_sets_only_what_it_may(anna):
    form = NEW["pages"] | {"id": "x", "userSubscriptionsCount": 9, "subscriptions": 9, "_role": "editor"}
    made = anna.post("/api/pages?_permissions=manage", form)
    assert made["id"] != "x"
    assert made["userSubscriptionsCount"] == 0
    assert made["_permissions"] == {"manage": True}


def test_a_page_needs_an_admin(anna):
    for admins in (None, []):
        form = {"name": "Neu", "visibility": "PUBLIC", "adminIds": admins}
        assert anna.refused("POST", "/api/pages", json=form) == (400, "INVALID_ARGUMENTS", ["adminIds"])


def test_page_members_are_id_lists(anna):
    assert anna.get("/api/pages/infrastruktur/members") == {
        "adminIds": [JONAS],
        "adminGroupIds": [],
        "memberIds": [
            entity_id(f"user/{who}") for who in ("lena.brueckner", "hans-peter.voss", "rainer.pfluegl")
        ],
        "memberGroupIds": [],
    }


def test_pages_show_their_apps_and_private_ones_hide(anna, jonas):
    page = anna.get("/api/pages/infrastruktur")
    assert [app["key"] for app in page["topApps"]] == ["blog", "wiki", "content"]
    assert page["userSubscriptionsCount"] == 1204
    assert anna.refused("GET", "/api/pages/fuehrungskreis")[0] == 404
    assert jonas.get("/api/pages/fuehrungskreis")["visibility"] == "PRIVATE"
    managed = {item["slug"] for item in anna.get("/api/pages", filters="status=ADMIN")["content"]}
    assert managed == {"startseite", "personal"}


def test_oneself_with_and_without_global_permissions(anna, mehmet):
    me = anna.get("/api/users/me")
    assert (me["id"], me["timezone"], me["properties"]["department"]) == (
        ANNA,
        "Europe/Berlin",
        "Kommunikation",
    )
    assert "globalPermissions" not in me
    assert "CREATE_PAGE" in anna.get("/api/users/me", **{"with": "globalPermissions"})["globalPermissions"]
    assert (
        "CREATE_PAGE" not in mehmet.get("/api/users/me", **{"with": "globalPermissions"})["globalPermissions"]
    )


@pytest.mark.parametrize(
    ("query", "logins"),
    [
        ({"term": "brückenprüferin"}, {"lena.brueckner"}),
        ({"term": "muller würzburg"}, {"juergen.mueller"}),
        ({"displayName": "öhl"}, {"soeren.oehlschlaeger"}),
        ({"userIds": f"{ANNA},{JONAS}"}, {"anna.schmidt", "jonas.weiss"}),
        ({"filters": "department=Gesundheit"}, {"carmen.vogt"}),
        ({"status": "INACTIVE"}, {"manfred.ruhe"}),
        ({"term": "Manfred", "includeInactiveUsers": "true"}, {"manfred.ruhe"}),
        ({"term": "gelöschter"}, set()),
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["/api/users", "/api/users/chooser/search"])
def test_people_are_found_by_name_job_and_place(anna, path, query, logins):
    assert {user["loginName"] for user in anna.get(path, **query)["content"]} == logins


def test_a_profile_is_read_by_id_or_slug_and_deleted_users_are_gone(anna):
    assert anna.get("/api/users/lena-brueckner") == anna.get(f"/api/users/{entity_id('user/lena.brueckner')}")
    assert anna.refused("GET", f"/api/users/{entity_id('user/geloescht.1')}")[0] == 404
