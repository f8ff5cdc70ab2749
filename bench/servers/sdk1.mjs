// The official TypeScript SDK 1.x on Express: node sdk1.mjs PORT TENANT TOOLS
import { randomUUID } from 'node:crypto';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { listen, register, serveSessions, signIn } from './tenant.mjs';

async function open(headers, sessions) {
  let token;
  const server = new McpServer({ name: 'bench', version: '1.0' });
  register(server, () => (token ??= signIn(headers)), args => args);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: id => sessions.set(id, transport),
  });
  transport.onclose = () => sessions.delete(transport.sessionId);
  await server.connect(transport);
  return transport;
}

const app = createMcpExpressApp();
serveSessions(app, open);
listen(app);
