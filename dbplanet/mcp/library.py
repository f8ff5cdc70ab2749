"""Prompts, resources and completions: the methods around the catalogue's values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import parse_qsl

from dbplanet.mcp.call import Call
from dbplanet.mcp.catalog import Complete, Prompt, Resource, ResourceTemplate
from dbplanet.mcp.context import Context
from dbplanet.mcp.protocol import INVALID_PARAMS, RpcError

MAX_COMPLETIONS: Final = 100
RESOURCE_NOT_FOUND: Final = -32002


class Library:
    """A server's prompts, resources and templates."""

    def __init__(
        self,
        *,
        prompts: Sequence[Prompt] = (),
        resources: Sequence[Resource] = (),
        templates: Sequence[ResourceTemplate] = (),
    ) -> None:
        self._prompts = {prompt.name: prompt for prompt in prompts}
        self._resources = {resource.uri: resource for resource in resources}
        self._templates = {template.uri_template: template for template in templates}

    @property
    def has_prompts(self) -> bool:
        """Whether there are prompts to declare."""
        return bool(self._prompts)

    @property
    def has_resources(self) -> bool:
        """Whether there are resources or templates to declare."""
        return bool(self._resources or self._templates)

    def list_prompts(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        """Answer ``prompts/list``."""
        return {"prompts": _page(params, self._prompts)}

    def list_resources(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        """Answer ``resources/list``."""
        return {"resources": _page(params, self._resources)}

    def list_templates(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        """Answer ``resources/templates/list``: those that the caller may use."""
        allowed = {uri: each for uri, each in self._templates.items() if _allows(call, each)}
        return {"resourceTemplates": _page(params, allowed)}

    def get_prompt(self, params: Mapping[str, Any], context: Context) -> dict[str, Any]:
        """Answer ``prompts/get``; raises RpcError -32602 for an unknown prompt or argument."""
        prompt = self._prompts.get(_string(params, "name"))
        if prompt is None:
            raise RpcError(INVALID_PARAMS, f"Unknown prompt: {params['name']}")
        messages = prompt.handler(context, **_prompt_arguments(prompt, params.get("arguments")))
        if isinstance(messages, str):
            messages = [{"role": "user", "content": {"type": "text", "text": messages}}]
        return {"description": prompt.description, "messages": messages}

    def read_resource(
        self, params: Mapping[str, Any], call: Call, connect: Callable[[], Any]
    ) -> dict[str, Any]:
        """Answer ``resources/read``."""
        uri = _string(params, "uri")
        contents = self._read(uri, call, connect)
        if contents is None:
            raise not_found(uri, modern=call.modern)
        return {"contents": [{"uri": uri, **contents}]}

    def watch(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        """Answer ``resources/subscribe`` and its reverse: nothing here ever changes."""
        uri = _string(params, "uri")
        if uri not in self._resources:
            raise not_found(uri, modern=call.modern)
        return {}

    def complete(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        """Answer ``completion/complete``: values that begin with what is typed so far."""
        ref, argument = params.get("ref"), params.get("argument")
        if not isinstance(ref, dict) or not isinstance(argument, dict):
            raise RpcError(INVALID_PARAMS, "Invalid params: ref and argument must be objects")
        complete = self._completer(ref, _string(argument, "name"))
        values = list(complete(_string(argument, "value"))) if complete else []
        shown = values[:MAX_COMPLETIONS]
        return {"completion": {"values": shown, "total": len(values), "hasMore": len(values) > len(shown)}}

    def _read(self, uri: str, call: Call, connect: Callable[[], Any]) -> Mapping[str, Any] | None:
        if uri in self._resources:
            return self._resources[uri].read(connect())
        path, _, query = uri.partition("?")
        for template in self._templates.values():
            variables = template.match(path)
            if variables is not None and _allows(call, template):
                return template.read(connect(), dict(parse_qsl(query)), **variables)
        return None

    def _completer(self, ref: Mapping[str, Any], name: str) -> Complete | None:
        target = {"ref/prompt": ref.get("name"), "ref/resource": ref.get("uri")}.get(str(ref.get("type")))
        if ref.get("type") == "ref/prompt" and isinstance(target, str) and target in self._prompts:
            arguments = self._prompts[target].arguments
            return next((argument.complete for argument in arguments if argument.name == name), None)
        if ref.get("type") == "ref/resource" and isinstance(target, str) and target in self._templates:
            return self._templates[target].complete.get(name)
        raise RpcError(
            INVALID_PARAMS, "Invalid params: ref names no prompt and no resource template of this server"
        )


def _allows(call: Call, template: ResourceTemplate) -> bool:
    return template.toolset is None or call.scope.allows(template.toolset, writes=False)


def _page(params: Mapping[str, Any], values: Mapping[str, Any]) -> list[dict[str, Any]]:
    # Everything fits on one page, so no cursor was ever given out.
    if params.get("cursor") is not None:
        raise RpcError(INVALID_PARAMS, "Invalid params: unknown cursor")
    return [value.definition() for value in values.values()]


def _string(params: Mapping[str, Any], name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise RpcError(INVALID_PARAMS, f"Invalid params: {name} must be a string")
    return value


def _prompt_arguments(prompt: Prompt, given: Any) -> dict[str, str]:
    if not isinstance(given, (dict, type(None))):
        raise RpcError(INVALID_PARAMS, "Invalid params: arguments must be an object")
    arguments = {name: value for name, value in (given or {}).items() if value is not None}
    known = {argument.name: argument for argument in prompt.arguments}
    wrong = sorted(
        name for name, value in arguments.items() if name not in known or not isinstance(value, str)
    )
    missing = sorted(name for name, argument in known.items() if argument.required and name not in arguments)
    if wrong or missing:
        faults = [f"{name} is not a text argument of this prompt" for name in wrong]
        faults += [f"{name} is required" for name in missing]
        raise RpcError(INVALID_PARAMS, f"Invalid params: {'; '.join(faults)}")
    return arguments


def not_found(uri: str, message: str = "Resource not found", *, modern: bool) -> RpcError:
    """Return the error for a resource that does not exist; its code depends on the era."""
    return RpcError(INVALID_PARAMS if modern else RESOURCE_NOT_FOUND, message, data={"uri": uri})
