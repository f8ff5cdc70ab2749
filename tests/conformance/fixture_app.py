"""The fixture application: ``gunicorn conformance.fixture_app:app`` with the tests folder on the path."""

import flask

from conformance.fixture_tools import NAME, PNG, TOOLS
from dbplanet.mcp.blueprint import mcp_blueprint
from dbplanet.mcp.catalog import Prompt, PromptArgument, Resource, ResourceTemplate
from dbplanet.mcp.context import elicitation
from dbplanet.mcp.http import Endpoint
from dbplanet.mcp.identity import Anyone
from dbplanet.mcp.policy import HostPolicy
from dbplanet.mcp.server import McpServer
from dbplanet.mcp.session_rules import SessionRules
from dbplanet.mcp.sessions import MemorySessions


class NoConnection:
    def close(self):
        pass


def user(content):
    return {"role": "user", "content": content}


def words(value):
    return {"type": "text", "text": value}


def with_arguments(context, arg1, arg2):
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


def with_resource(context, resourceUri):  # noqa: N803 the suite's name
    resource = {
        "uri": resourceUri,
        "mimeType": "text/plain",
        "text": "Embedded resource content for testing.",
    }
    return [user({"type": "resource", "resource": resource}), user(words("Please process it."))]


def with_image(context):
    image = {"type": "image", "data": PNG, "mimeType": "image/png"}
    return [user(image), user(words("Please analyze the image above."))]


def with_input(context):
    answers = context.ask({"user_name": elicitation("What is your name?", NAME, ["name"])})
    return f"Hello, {answers['user_name'].get('content', {}).get('name')}!"


PROMPTS = [
    Prompt(
        "test_simple_prompt",
        "Simple",
        "A simple prompt.",
        lambda context: "This is a simple prompt for testing.",
    ),
    Prompt(
        "test_prompt_with_arguments",
        "Arguments",
        "A prompt with arguments.",
        with_arguments,
        [
            PromptArgument(
                "arg1", "First", True, lambda typed: [v for v in ("paris", "park") if v.startswith(typed)]
            ),
            PromptArgument("arg2", "Second", True),
        ],
    ),
    Prompt(
        "test_prompt_with_embedded_resource",
        "Resource",
        "A prompt with a resource.",
        with_resource,
        [PromptArgument("resourceUri", "Uri", True)],
    ),
    Prompt("test_prompt_with_image", "Image", "A prompt with an image.", with_image),
    Prompt("test_input_required_result_prompt", "Input", "A prompt that asks.", with_input),
]


def static(uri, name, mime_type, **contents):
    return Resource(uri, name, f"{name}.", mime_type, lambda connection: {"mimeType": mime_type, **contents})


RESOURCES = [
    static(
        "test://static-text",
        "Static text",
        "text/plain",
        text="This is the content of the static text resource.",
    ),
    static("test://static-binary", "Static binary", "image/png", blob=PNG),
    static("test://watched-resource", "Watched", "text/plain", text="Watched."),
]
TEMPLATES = [
    ResourceTemplate(
        "test://template/{id}/data",
        "template",
        "Template",
        "A template.",
        "application/json",
        lambda connection, query, id: {  # noqa: A006 the variable's name
            "mimeType": "application/json",
            "text": f'{{"id":"{id}","templateTest":true,"data":"Data for ID: {id}"}}',
        },
    )
]


def create_fixture():
    server = McpServer(
        name="conformance-fixture",
        version="1",
        instructions="Fixtures.",
        toolsets={"fixtures": TOOLS},
        identify=lambda headers: Anyone(),
        connect=lambda identity: NoConnection(),
        prompts=PROMPTS,
        resources=RESOURCES,
        templates=TEMPLATES,
        watchable=True,
        state_key="conformance",
    )
    rules = SessionRules(MemorySessions(3600))
    endpoint = Endpoint(server, rules, policy=HostPolicy(), max_request_bytes=4_194_304, max_streams=16)
    app = flask.Flask(__name__)
    app.register_blueprint(mcp_blueprint("conformance", {"/mcp": endpoint}))
    return app


app = create_fixture()
