"""The tools that the official conformance suite calls by name."""

import time
from typing import Annotated

from pydantic import Field

from dbplanet.mcp.arguments import Text
from dbplanet.mcp.context import Context, elicitation
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.results import ToolResult, audio, embedded, image, text
from dbplanet.mcp.tools import READ, tool

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAgD4AAAB9AAACABAAZGF0YQAAAAA="
NAME = {"name": {"type": "string", "title": "Name"}}


def fixture(name, logs=False):
    return tool(name, title=name, annotations=READ, description=f"Conformance fixture {name}.", logs=logs)


@fixture("test_simple_text")
def simple_text(connection):
    return "This is a simple text response for testing."


@fixture("test_image_content")
def image_content(connection):
    return ToolResult([image(PNG, "image/png")])


@fixture("test_audio_content")
def audio_content(connection):
    return ToolResult([audio(WAV, "audio/wav")])


@fixture("test_embedded_resource")
def embedded_resource(connection):
    resource = {
        "uri": "test://embedded-resource",
        "mimeType": "text/plain",
        "text": "This is an embedded resource content.",
    }
    return ToolResult([embedded(resource)])


@fixture("test_multiple_content_types")
def multiple_content_types(connection):
    resource = {
        "uri": "test://mixed-content-resource",
        "mimeType": "application/json",
        "text": '{"test":"data","value":123}',
    }
    return ToolResult([text("Multiple content types test:"), image(PNG, "image/png"), embedded(resource)])


@fixture("test_error_handling")
def error_handling(connection):
    raise ToolError(500, "This tool intentionally returns an error for testing")


@fixture("test_tool_with_logging", logs=True)
def with_logging(connection, context: Context):
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        context.log("info", words)
        time.sleep(0.05)
    return "Logged."


@fixture("test_logging_tool", logs=True)
def logging_tool(connection, context: Context):
    for level in ("debug", "info", "warning", "error"):
        context.log(level, f"A message of level {level}")
    return "Logged."


@fixture("test_tool_with_progress")
def with_progress(connection, context: Context):
    for done in (0, 50, 100):
        context.progress(done, 100, f"Completed step {done} of 100")
        time.sleep(0.05)
    return "Done."


@fixture("json_schema_2020_12_tool")
def json_schema(connection, name: Annotated[Text, Field(description="A name")] | None = None):
    return f"Hello, {name}"


@fixture("test_custom_header")
def custom_header(
    connection,
    region: Annotated[Text, Field(description="A region", json_schema_extra={"x-mcp-header": "Region"})]
    | None = None,
):
    return f"Region: {region}"


@fixture("test_missing_capability")
def missing_capability(connection, context: Context):
    context.ask({"sample": sampling("Say something")})
    return "The client can sample."


@fixture("test_streaming_elicitation")
def streaming_elicitation(connection, context: Context):
    context.progress(0, 1, "Before the question")
    answers = context.ask({"user_name": elicitation("What is your name?", NAME, ["name"])})
    return f"Hello, {answers['user_name'].get('content', {}).get('name')}!"


def sampling(words):
    messages = [{"role": "user", "content": {"type": "text", "text": words}}]
    return {"method": "sampling/createMessage", "params": {"messages": messages, "maxTokens": 100}}


ROOTS = {"method": "roots/list", "params": {}}


@fixture("test_input_required_result_elicitation")
def asks_the_user(connection, context: Context):
    answers = context.ask({"user_name": elicitation("What is your name?", NAME, ["name"])})
    return f"Hello, {answers['user_name'].get('content', {}).get('name')}!"


@fixture("test_input_required_result_sampling")
def asks_the_model(connection, context: Context):
    answers = context.ask({"capital_question": sampling("What is the capital of France?")})
    return f"The model said: {answers['capital_question']}"


@fixture("test_input_required_result_list_roots")
def asks_for_roots(connection, context: Context):
    return f"Roots: {context.ask({'client_roots': ROOTS})['client_roots']}"


@fixture("test_input_required_result_request_state")
def keeps_state(connection, context: Context):
    form = elicitation("Please confirm", {"ok": {"type": "boolean"}}, ["ok"])
    context.ask({"confirm": form}, state={"step": 1})
    return "state-ok"


@fixture("test_input_required_result_tampered_state")
def guards_state(connection, context: Context):
    form = elicitation("Please confirm", {"ok": {"type": "boolean"}}, ["ok"])
    context.ask({"confirm": form}, state={"step": 1})
    return "state-ok"


@fixture("test_input_required_result_multiple_inputs")
def asks_for_several(connection, context: Context):
    answers = context.ask(
        {
            "user_name": elicitation("What is your name?", NAME, ["name"]),
            "greeting": sampling("Generate a greeting"),
            "client_roots": ROOTS,
        },
        state={"step": 1},
    )
    return f"Got {', '.join(sorted(answers))}"


@fixture("test_input_required_result_multi_round")
def asks_twice(connection, context: Context):
    if context.state is None or context.state["step"] == 1:
        first = context.ask(
            {"step1": elicitation("Step 1: What is your name?", NAME, ["name"])}, state={"step": 1}
        )
        name = first["step1"].get("content", {}).get("name")
        context.answers = {}
        context.state = {"step": 2, "name": name}
    colour = {"color": {"type": "string", "title": "Colour"}}
    second = context.ask(
        {"step2": elicitation("Step 2: What is your favorite color?", colour, ["color"])}, state=context.state
    )
    return f"{context.state['name']} likes {second['step2'].get('content', {}).get('color')}"


@fixture("test_input_required_result_capabilities")
def asks_for_what_is_declared(connection, context: Context):
    wanted = {
        "user_name": elicitation("What is your name?", NAME, ["name"]),
        "greeting": sampling("Generate a greeting"),
    }
    possible = {key: request for key, request in wanted.items() if context.may_ask(request["method"])}
    return f"Got {sorted(context.ask(possible))}" if possible else "Nothing can be asked."


TOOLS = [value for value in list(globals().values()) if type(value).__name__ == "Tool"]
