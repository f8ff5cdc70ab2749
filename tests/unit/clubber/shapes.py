"""Eight shapes in which APIs offer members, with what a create and an update must send to each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

MEMBER = "type Member { id: Int! firstName: String! lastName: String email: String }"
READS = "type Query { members: [Member!]! member(id: Int!): Member }"


@dataclass(frozen=True)
class Shape:
    """``created`` and ``updated`` are the variables sent for Ada, and for an e-mail of member 7."""

    sdl: str
    created: dict[str, Any] = field(default_factory=dict)
    updated: dict[str, Any] = field(default_factory=dict)
    member_id: Any = 7


SHAPES = {
    "input object": Shape(
        f"""{MEMBER} {READS}
        input CreateMemberInput {{ firstName: String! lastName: String email: String }}
        input UpdateMemberInput {{ firstName: String lastName: String email: String }}
        type Mutation {{
          createMember(input: CreateMemberInput!): Member!
          updateMember(id: Int!, input: UpdateMemberInput!): Member
        }}""",
        {"input": {"firstName": "Ada"}},
        {"id": 7, "input": {"email": "a@b.de"}},
    ),
    "flat arguments with ID": Shape(
        """type Member { id: ID! firstName: String! email: String }
        type Query { allMembers: [Member!]! memberById(id: ID!): Member }
        type Mutation {
          addMember(firstName: String!, email: String): Member!
          editMember(id: ID!, firstName: String, email: String): Member
        }""",
        {"firstName": "Ada"},
        {"id": "7", "email": "a@b.de"},
        "7",
    ),
    "id inside the input": Shape(
        f"""{MEMBER} {READS}
        input CreateMemberInput {{ firstName: String! email: String }}
        input UpdateMemberInput {{ memberId: Int! firstName: String email: String }}
        type Mutation {{
          createMember(data: CreateMemberInput!): Member
          updateMember(data: UpdateMemberInput!): Member
        }}""",
        {"data": {"firstName": "Ada"}},
        {"data": {"memberId": 7, "email": "a@b.de"}},
    ),
    "payload type": Shape(
        f"""{MEMBER} {READS}
        type FieldError {{ field: String! message: String! }}
        type MemberPayload {{ member: Member errors: [FieldError!]! }}
        input MemberInput {{ firstName: String email: String }}
        type Mutation {{
          createMember(input: MemberInput!): MemberPayload!
          updateMember(id: Int!, input: MemberInput!): MemberPayload!
        }}""",
        {"input": {"firstName": "Ada"}},
        {"id": 7, "input": {"email": "a@b.de"}},
    ),
    "union results": Shape(
        f"""{MEMBER} type Query {{ members: [Member!]! member(id: Int!): MemberResult! }}
        type ValidationError {{ id: String message: String! field: String }}
        type NotFound {{ message: String! }}
        union MemberResult = Member | ValidationError | NotFound
        type Mutation {{
          createMember(firstName: String!, email: String): MemberResult!
          updateMember(id: Int!, firstName: String, email: String): MemberResult!
        }}""",
        {"firstName": "Ada"},
        {"id": 7, "email": "a@b.de"},
    ),
    "snake_case": Shape(
        """type member_type { member_id: Int! first_name: String! email: String }
        type Query { get_members: [member_type] get_member(member_id: Int!): member_type }
        input member_values { first_name: String email: String }
        type Mutation {
          create_member(object: member_values!): member_type
          update_member(member_id: Int!, object: member_values!): member_type
        }""",
        {"object": {"first_name": "Ada"}},
        {"member_id": 7, "object": {"email": "a@b.de"}},
    ),
    "relay": Shape(
        """interface Node { id: ID! }
        type Member implements Node { id: ID! firstName: String! email: String }
        type MemberEdge { cursor: String! node: Member }
        type PageInfo { hasNextPage: Boolean! endCursor: String }
        type MemberConnection { edges: [MemberEdge] pageInfo: PageInfo! totalCount: Int }
        type Query { node(id: ID!): Node member(id: ID!): Member
          members(first: Int, after: String): MemberConnection! }
        input CreateMemberInput { clientMutationId: String firstName: String! email: String }
        input MemberPatch { firstName: String email: String }
        input UpdateMemberInput { clientMutationId: String id: ID! patch: MemberPatch! }
        type CreateMemberPayload { clientMutationId: String member: Member }
        type UpdateMemberPayload { clientMutationId: String member: Member }
        type Mutation {
          createMember(input: CreateMemberInput!): CreateMemberPayload
          updateMember(input: UpdateMemberInput!): UpdateMemberPayload
        }""",
        {"input": {"firstName": "Ada"}},
        {"input": {"id": "7", "patch": {"email": "a@b.de"}}},
        "7",
    ),
    "no mutations": Shape(f"{MEMBER} {READS}"),
}
WRITABLE = [name for name, shape in SHAPES.items() if "Mutation" in shape.sdl.replace("clientMutationId", "")]
