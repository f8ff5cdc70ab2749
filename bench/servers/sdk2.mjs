// The official TypeScript SDK 2.x on Express, sessions and 2026-07-28 on one path: node sdk2.mjs PORT TENANT TOOLS
import { randomUUID } from 'node:crypto';
import { createMcpExpressApp } from '@modelcontextprotocol/express';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { listen, register, serveSessions, signIn, tools } from './tenant.mjs';

const schemas = new Map(tools.map(({ args }) => [args, z.object(args)]));

function made(token) {
  const server = new McpServer({ name: 'bench', version: '1.0' });
  register(server, token, args => schemas.get(args));
  return server;
}

async function open(headers, sessions) {
  let token;
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: id => sessions.set(id, transport),
  });
  transport.onclose = () => sessions.delete(transport.sessionId);
  await made(() => (token ??= signIn(headers))).connect(transport);
  return transport;
}

// The dialect without sessions has a server for each request; tokens are kept by user.
const tokens = new Map();
const handler = createMcpHandler(({ requestInfo }) => {
  const headers = Object.fromEntries(requestInfo.headers);
  const user = headers['x-dbplanet-username'];
  return made(() => {
    if (!tokens.has(user)) tokens.set(user, signIn(headers));
    return tokens.get(user);
  });
}, { legacy: 'reject' });
const modern = toNodeHandler(handler);

const app = createMcpExpressApp();
app.use('/mcp', (request, response, next) =>
  request.body?.params?._meta?.['io.modelcontextprotocol/protocolVersion'] ? modern(request, response, request.body) : next());
serveSessions(app, open);
listen(app);
