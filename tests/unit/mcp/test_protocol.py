import json

import mcp_types
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import version as versions

from dbplanet.mcp import protocol
from support.engine import app_of, initialize, modern, send


def test_the_versions_are_those_of_the_official_models():
    assert tuple(versions.HANDSHAKE_PROTOCOL_VERSIONS) == protocol.HANDSHAKE_VERSIONS
    assert tuple(versions.MODERN_PROTOCOL_VERSIONS) == protocol.MODERN_VERSIONS
    assert mcp_types.DEFAULT_NEGOTIATED_VERSION == protocol.DEFAULT_HANDSHAKE_VERSION


@pytest.mark.parametrize(
    ("ours", "official"),
    [
        (protocol.PARSE_ERROR, mcp_types.PARSE_ERROR),
        (protocol.HEADER_MISMATCH, mcp_types.HEADER_MISMATCH),
        (protocol.MISSING_CLIENT_CAPABILITY, mcp_types.MISSING_REQUIRED_CLIENT_CAPABILITY),
        (protocol.UNSUPPORTED_VERSION, mcp_types.UNSUPPORTED_PROTOCOL_VERSION),
        (protocol.META_VERSION, mcp_types.PROTOCOL_VERSION_META_KEY),
        (protocol.META_SERVER_INFO, mcp_types.SERVER_INFO_META_KEY),
        (protocol.META_LOG_LEVEL, mcp_types.LOG_LEVEL_META_KEY),
        (protocol.META_CLIENT_CAPABILITIES, mcp_types.CLIENT_CAPABILITIES_META_KEY),
    ],
)
def test_codes_and_keys_are_those_of_the_official_models(ours, official):
    assert ours == official


@pytest.mark.parametrize(
    ("model", "sent"),
    [
        (mcp_types.InitializeResult, (initialize(),)),
        (mcp_types.ListToolsResult, ({"jsonrpc": "2.0", "id": 1, "method": "tools/list"},)),
        (mcp_types.DiscoverResult, modern("server/discover")),
        (mcp_types.ListToolsResult, modern("tools/list")),
        (mcp_types.CallToolResult, modern("tools/call", name="add", arguments={"a": 1, "b": 1})),
    ],
)
def test_results_are_valid_for_the_official_models(model, sent):
    model.model_validate(send(app_of(), *sent)[1]["result"])


def test_an_unreadable_id_is_null_and_never_left_out():
    answer = protocol.failure(None, protocol.RpcError(-32700, "x"))
    assert answer["id"] is None


_bodies = st.binary(max_size=20) | st.builds(
    lambda mark, before, value, after: mark + before + json.dumps(value).encode() + after,
    st.sampled_from([b"", b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf", b"\xff\xfe"]),
    st.sampled_from([b"", b" \r\n\t", b"\x0b"]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    ),
    st.sampled_from([b"", b"\n", b"x", b"{}"]),
)


@given(_bodies)
def test_a_body_reads_as_json_reads_it(body):
    def refuse(constant):
        raise ValueError(constant)

    try:
        expected = json.loads(body.decode("utf-8-sig"), parse_constant=refuse)
    except ValueError:
        with pytest.raises(protocol.RpcError) as caught:
            protocol.decode(body)
        assert (caught.value.code, caught.value.status) == (protocol.PARSE_ERROR, 400)
    else:
        assert protocol.decode(body) == expected
