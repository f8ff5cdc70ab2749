"""Comments and likes (Requirement 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.errors import MESSAGES, HaiiloError, StatusError, UnauthorizedError
from dbplanet.haiilo.forms import COMMENTED_TYPES
from dbplanet.haiilo.generations import COMMENTS, LIKES, REACTION_TYPES_PATH
from dbplanet.haiilo.paths import segment
from dbplanet.haiilo.shapes import (
    Entity,
    entity_id,
    mapping,
    moment,
    read_page,
    text,
    whole,
    words,
    yes_or_no,
)
from dbplanet.mcp.arguments import show
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.tools import ADD, READ, TOGGLE, tool
from dbplanet.text.layout import Document, Prose, labelled
from dbplanet.tools.parameters import FilledText, Id, PageNumber, PageSize, given, paging
from dbplanet.tools.present import Pairs, listing, who

CommentedType = Annotated[
    Id, Field(description="Type of the entity, such as blog-article, wiki-article or timeline-item")
]
LikedType = Annotated[
    Id, Field(description="Type of the like target (e.g., blog-article, timeline-item, comment)")
]
LikedId = Annotated[Id, Field(description="ID of the like target")]


@tool(
    "Social_GetComments",
    title="Read comments",
    annotations=READ,
    description="List the comments on an article, post or other entity: author, time, text and id.",
)
def get_comments(
    client: HaiiloClient,
    target_id: Annotated[FilledText, Field(description="ID of the entity to get comments for")],
    target_type: CommentedType | None = None,
    page: PageNumber | None = None,
    page_size: PageSize | None = None,
) -> Document:
    """Requirement 8.1: ``GET /api/comments``; ``targetType`` is what the real API wants besides."""
    params = {"targetId": target_id, **paging(page, page_size)}
    if target_type is None:
        data = _with_type_wanted(partial(client.ask, COMMENTS, params=params))
    else:
        ask = partial(client.request, "GET", "/api/comments", {**params, "targetType": target_type})
        data = _with_type_wanted(ask, target_type)
    return listing("Comments", read_page(data), _comment)


@tool(
    "Social_PostComment",
    title="Write a comment",
    annotations=ADD,
    description="Post a comment on an article, post or other entity in the signed-in user's name. Everybody "
    "who sees the entity sees it.",
)
def post_comment(
    client: HaiiloClient,
    target_id: Annotated[FilledText, Field(description="ID of the entity to comment on")],
    body: Annotated[FilledText, Field(description="Comment text (Markdown)")],
    target_type: CommentedType | None = None,
) -> Document:
    """Requirement 8.2: ``POST /api/comments``, with the author that the real API requires."""
    data = {"targetId": target_id, "message": body}
    optional = given(targetType=target_type, authorId=entity_id(client.me()))
    post = partial(client.request, "POST", "/api/comments", data=data | optional)
    created = mapping(_with_type_wanted(post, target_type))
    return Document(
        "The comment is posted.", [labelled([("comment id", entity_id(created)), ("on", target_id)])]
    )


@tool(
    "Social_GetLikes",
    title="Count likes",
    annotations=READ,
    description="Get how many people like something (or react to it), whether the signed-in user does, "
    "and the latest ones.",
)
def get_likes(client: HaiiloClient, target_type: LikedType, target_id: LikedId) -> Document:
    """Requirement 8.3: ``GET /api/like-targets/{targetType}/{targetId}``, asked as the signed-in user."""
    sender_id = entity_id(client.me())
    ask = partial(client.ask, LIKES, target_type, target_id, params={"senderId": sender_id})
    return _likes("Likes", mapping(_with_type_wanted(ask, target_type)))


@tool(
    "Social_ToggleLike",
    title="Like or unlike",
    annotations=TOGGLE,
    description="Toggle the user's like on something: liked becomes not liked and the reverse. "
    "Social_GetLikes tells the state before; calling twice undoes it.",
)
def toggle_like(
    client: HaiiloClient,
    target_type: LikedType,
    target_id: LikedId,
    user_id: Annotated[Id, Field(description="User ID to toggle like for (your own, from People_GetMe)")],
) -> Document:
    """Requirement 8.4: ``POST …/likes/{userId}``, or DELETE of the same where the like is there already."""
    path = _like_path(target_type, target_id)
    liked = _is_liked(client, path, user_id)
    try:
        answer = client.request("DELETE" if liked else "POST", f"{path}/likes/{segment(user_id)}")
    except StatusError as error:
        if error.status in (404, 405, 410) and _has_reactions(client):
            raise ToolError(
                error.status,
                "This DB Planet has reactions in place of likes, and its API cannot set them.",
                "Social_GetLikes shows the reactions; ask the user to react in the browser.",
            ) from None
        if error.status == 403 and user_id != entity_id(client.me()):
            advice = "userId must be the signed-in user's own id, as People_GetMe shows it."
            raise ToolError(403, MESSAGES[403], advice) from None
        raise
    return _likes("The like is removed" if liked else "The like is set", mapping(answer))


def _like_path(target_type: str, target_id: str) -> str:
    return f"/api/like-targets/{segment(target_type)}/{segment(target_id)}"


def _has_reactions(client: HaiiloClient) -> bool:
    try:
        client.request("GET", REACTION_TYPES_PATH)
    except HaiiloError:
        return False
    return True


def _is_liked(client: HaiiloClient, path: str, user_id: str) -> bool:
    """Tell whether the like is there; a state that cannot be read counts as not liked."""
    try:
        state = mapping(client.request("GET", path, {"senderId": user_id}))
    except UnauthorizedError:
        raise
    except HaiiloError:
        return False
    return state.get("likedBySender") is True


def _likes(head: str, likes: Entity) -> Document:
    latest = ", ".join(filter(None, map(who, read_page(likes.get("latest")).items)))
    pairs = [
        ("likes", whole(likes.get("count"))),
        ("liked by the user", yes_or_no(likes.get("likedBySender"))),
        ("latest", latest),
        ("kinds", _kinds(likes.get("reactionTypes"))),
    ]
    return Document(f"{head}.", [labelled(pairs)])


def _kinds(types: Any) -> str:
    """Return the kinds of reactions with their numbers, where the tenant has more than likes."""
    counts = Counter(filter(None, map(words, types if isinstance(types, list) else [])))
    return ", ".join(f"{kind} {count}" for kind, count in counts.most_common())


def _with_type_wanted(ask: Callable[[], Any], given_type: str | None = None) -> Any:
    """Return the answer; say so where the tenant wants the target's type, or another one."""
    try:
        return ask()
    except StatusError as error:
        faults = read_page(mapping(error.body).get("fieldErrors")).items
        if error.status != 400 or "targetType" not in [fault.get("key") for fault in faults]:
            raise
        fault = (
            f"{show(given_type)} is no type of such a target"
            if given_type
            else "is required by this DB Planet"
        )
        raise ToolError(
            400,
            f"Invalid arguments: targetType: {fault}; give the type of the target",
            f"A search hit shows it: one of {', '.join(COMMENTED_TYPES)}.",
        ) from None


def _comment(entity: Entity) -> tuple[str, Pairs]:
    return who(entity.get("author")) or "(author unknown)", [
        ("id", entity_id(entity)),
        ("created", moment(entity.get("created"))),
        ("edited", yes_or_no(entity.get("edited"))),
        ("likes", whole(mapping(entity.get("likes")).get("count"))),
        ("text", Prose(text(entity.get("message")) or "")),
    ]
