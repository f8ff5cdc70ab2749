// The job of bench/job.py for the TypeScript servers: sign in, ask who that is, answer labelled lines.
import http from 'node:http';
import { readFileSync } from 'node:fs';
import axios from 'axios';
import { z } from 'zod';

export const [, , PORT, ORIGIN, TOOLS] = process.argv;
export const TOOL = 'People_GetMe';

const agent = new http.Agent({ keepAlive: true, maxSockets: 1000 });
const tenant = axios.create({ baseURL: ORIGIN, httpAgent: agent, proxy: false, timeout: 30_000 });

const TYPES = { string: z.string(), integer: z.number().int(), boolean: z.boolean() };

function parameter(shape, isRequired) {
  const described = TYPES[shape.type].describe(shape.description ?? '');
  if (shape.default !== undefined) return described.default(shape.default);
  return isRequired ? described : described.optional();
}

// Our own tools/list, each with its arguments as zod types by name.
export const tools = JSON.parse(readFileSync(TOOLS, 'utf8')).map(({ name, title, description, inputSchema }) => {
  const required = new Set(inputSchema.required ?? []);
  const shapes = Object.entries(inputSchema.properties ?? {});
  return { name, title, description, args: Object.fromEntries(shapes.map(([key, shape]) => [key, parameter(shape, required.has(key))])) };
});

export async function signIn(headers) {
  const form = new URLSearchParams({
    grant_type: 'password',
    username: headers['x-dbplanet-username'],
    password: headers['x-dbplanet-password'],
  });
  const auth = { username: headers['x-dbplanet-client-id'], password: headers['x-dbplanet-client-secret'] };
  return (await tenant.post('/api/oauth/token', form, { auth })).data.access_token;
}

export async function me(token) {
  const { data } = await tenant.get('/api/users/me', { headers: { Authorization: `Bearer ${token}` } });
  const lines = {
    'id': data.id,
    'slug': data.slug,
    'job title': data.properties.jobTitle,
    'department': data.properties.department,
    'email': data.email,
    'language': data.language,
    'time zone': data.timezone,
    'status': data.status.toLowerCase(),
  };
  const text = Object.entries(lines).map(([label, value]) => `${label}: ${value}`).join('\n');
  return { content: [{ type: 'text', text: `Signed-in user: ${data.displayName}\n\n${text}` }] };
}

// Registers the 28 tools; `token` gives the token of whoever calls.
export function register(server, token, schema) {
  for (const { name, title, description, args } of tools) {
    const handler = name === TOOL ? async () => me(await token()) : async () => ({ content: [{ type: 'text', text: 'not measured' }] });
    server.registerTool(name, { title, description, inputSchema: schema(args) }, handler);
  }
}

// Serves sessions at /mcp: `open` makes a server and a transport that keeps itself in the map it is given.
export function serveSessions(app, open) {
  const sessions = new Map();
  app.post('/mcp', async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const transport = id ? sessions.get(id) : request.body?.method === 'initialize' ? await open(request.headers, sessions) : undefined;
    if (!transport) return response.status(id ? 404 : 400).json({ jsonrpc: '2.0', error: { code: -32000, message: 'No such session' }, id: null });
    await transport.handleRequest(request, response, request.body);
  });
  app.delete('/mcp', async (request, response) => {
    const transport = sessions.get(request.headers['mcp-session-id']);
    if (!transport) return response.status(404).end();
    await transport.handleRequest(request, response);
  });
}

export function listen(app) {
  app.listen(Number(PORT), '127.0.0.1', 2048);
}
