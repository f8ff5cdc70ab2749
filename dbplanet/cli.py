"""The command line: serve, sandbox, tools, stdio, call, doctor, config."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import closing
from typing import Final

import click

from dbplanet import process, servers
from dbplanet._version import __version__
from dbplanet.client_configs import CLIENTS, configuration
from dbplanet.doctor import examine
from dbplanet.haiilo.credentials import Credentials
from dbplanet.logs import log_to_stderr
from dbplanet.mcp.call import Call
from dbplanet.mcp.protocol import Message, RpcError
from dbplanet.mcp.stdio import StdioServer
from dbplanet.mcp.tools import Tool
from dbplanet.settings import Settings, SettingsError, port
from dbplanet.shared_state import SharedState
from dbplanet.tools import TOOLSETS
from dbplanet.watching import watch_of

_EVERYWHERE: Final = ("0.0.0.0", "::", "[::]")  # noqa: S104 compared, not bound to
_PORT: Final = click.IntRange(0, 65_535)
_PROFILE: Final = click.Choice(["spec", "classic", "modern"])


@click.group()
@click.version_option(__version__, prog_name="dbplanet")
def main() -> None:
    """DB Planet MCP server: AI agents' hands in the intranet."""


@main.command()
@click.option("--sandbox", "with_sandbox", is_flag=True, help="Start a sandbox tenant too, and serve it.")
def serve(with_sandbox: bool) -> None:
    """Serve MCP over HTTP with gunicorn (port 3000, or PORT)."""
    if with_sandbox:
        process.serve_with_sandbox()
    process.serve()


@main.command()
@click.option("--port", default=3001, show_default=True, type=_PORT, help="TCP port; 0 takes a free one.")
@click.option("--profile", default="spec", show_default=True, type=_PROFILE, help="Generation of its API.")
@click.option("--tenant", default="DB Planet Sandbox", show_default=True, help="The tenant's name.")
def sandbox(port: int, profile: str, tenant: str) -> None:
    """Run a sandbox DB Planet on this machine, to try, test and develop against."""
    from dbplanet.sandbox import serve as serve_sandbox

    def announce(url: str) -> None:
        exports = (f"export {name}='{value}'" for name, value in process.sandbox_settings(url).items())
        click.echo("\n".join((f"{tenant} on {url}; to use it from here:", *exports)))

    try:
        serve_sandbox(port=port, profile=profile, tenant=tenant, announce=announce)
    except OSError as error:
        raise click.ClickException(f"{error.strerror}; --port takes another one, 0 a free one") from None


@main.command()
@click.argument("name", metavar="SERVER", type=click.Choice(list(servers.SERVERS)))
def stdio(name: str) -> None:
    """Serve one MCP client on standard input and output, as the operator."""
    sink = sys.stdout.buffer
    # Whatever a library prints must not break the protocol.
    sys.stdout = sys.stderr
    try:
        settings = Settings.load()
        log_to_stderr(settings.log_level, settings.log_format)
        server = servers.SERVERS[name](settings, local=True, watch=watch_of(settings, name))
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
    StdioServer(server, Credentials(), sys.stdin.buffer, sink).serve()


@main.command()
def tools() -> None:
    """List the tools, by area."""
    for area, members in TOOLSETS.items():
        click.echo(f"\n{area}")
        for tool in members:
            click.echo(f"  {tool.name} {_usage(tool)}\n      {tool.description}")


@main.command()
@click.argument("name", metavar="TOOL")
@click.argument("arguments", metavar="[KEY=VALUE]...", nargs=-1)
def call(name: str, arguments: tuple[str, ...]) -> None:
    """Call one TOOL as the operator; DBPLANET_USERNAME and so on hold the credentials."""
    params = {"name": name, "arguments": _pairs(arguments)}
    try:
        settings = Settings.load()
        server = servers.dbplanet_server(settings, local=True, watch=watch_of(settings, "dbplanet"))
        message = Message("tools/call", params, 1, is_notification=False)
        result = server.handle(message, Call(modern=False, identity=Credentials()))
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
    except RpcError as error:
        raise click.ClickException(f"{error}; `dbplanet tools` lists them") from None
    click.echo(result["content"][0]["text"], err=result["isError"])
    raise SystemExit(int(result["isError"]))


@main.command()
def doctor() -> None:
    """Check the settings, reach the tenant, sign in as the operator; say what is wrong and how to mend it."""
    try:
        settings = Settings.load()
        port(os.environ)
        if "clubber" in settings.servers:
            servers.clubber_server(settings)
    except SettingsError as error:
        raise click.ClickException(f"settings: {error}") from None
    credentials = servers.operator_credentials(settings)
    with closing(servers.operator_transport(settings)) as transport:
        store_fault = SharedState(settings).fault
        origin = settings.base_url or ""
        for finding in examine(credentials, origin, transport, settings.deadline, store_fault):
            click.echo(f"{'FAULT' if finding.fix else 'ok'}  {finding.step}: {finding.words}")
            if finding.fix:
                click.echo(f"Fix: {finding.fix}")
                raise SystemExit(1)


@main.command()
@click.argument("client", type=click.Choice(list(CLIENTS)))
@click.option("--url", help="The server's MCP endpoint, where clients reach it; else where it listens.")
def config(client: str, url: str | None) -> None:
    """Print the configuration of an MCP CLIENT for this server, without any secret."""
    try:
        settings = Settings.load()
        # One that listens everywhere is called by an address of its own.
        host = "127.0.0.1" if settings.host in _EVERYWHERE else settings.host
        own = f"http://{host}:{port(os.environ)}/servers/dbplanet/mcp"
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
    place, text = configuration(client, url or own, with_token=bool(settings.access_tokens))
    click.echo(f"For {place}:", err=True)
    click.echo(text)


def _usage(tool: Tool) -> str:
    """Return a tool's arguments as the command line takes them, the optional ones in brackets."""
    schema = tool.arguments.schema
    required = schema.get("required", [])
    return " ".join(name if name in required else f"[{name}]" for name in schema["properties"])


def _pairs(arguments: Iterable[str]) -> dict[str, str]:
    pairs = [argument.partition("=") for argument in arguments]
    for key, equals, _ in pairs:
        if not equals:
            raise click.UsageError(f"{key}: write arguments as key=value")
    return {key: value for key, _, value in pairs}
