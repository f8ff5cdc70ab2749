// What the Node clients do, the same as python_client.py: `node --input-type=module - PACKAGE JOB < this file`
// in the client's own folder. Standard input, because Node looks for packages from where the script lies.
const [name, text] = process.argv.slice(2);
const job = JSON.parse(text);

const load = {
  '@modelcontextprotocol/sdk': async () => ({
    ...(await import('@modelcontextprotocol/sdk/client/index.js')),
    ...(await import('@modelcontextprotocol/sdk/client/streamableHttp.js')),
  }),
  '@modelcontextprotocol/client': () => import('@modelcontextprotocol/client'),
};
const { Client, StreamableHTTPClientTransport } = await load[name]();
const isFirst = name.endsWith('/sdk');

const negotiation = { default: {}, auto: { versionNegotiation: { mode: 'auto' } } };
const options = negotiation[job.mode] ?? { versionNegotiation: { mode: { pin: job.mode } } };
const client = new Client({ name: 'matrix', version: '1' }, options);
const transport = new StreamableHTTPClientTransport(new URL(job.url), { requestInit: { headers: job.headers } });
const complaints = [];
client.onerror = error => complaints.push(String(error));

async function call(tool, args) {
  const progress = [];
  const options = { onprogress: ({ progress: done, total, message }) => progress.push([done, total, message]) };
  const params = { name: tool, arguments: args };
  try {
    const result = isFirst ? await client.callTool(params, undefined, options) : await client.callTool(params, options);
    return { text: result.content[0].text, is_error: result.isError ?? false, progress };
  } catch (error) {
    return { text: String(error), is_error: true, progress };
  }
}

await client.connect(transport);
const version = isFirst ? transport.protocolVersion : client.getNegotiatedProtocolVersion();
const tools = (await client.listTools()).tools.map(tool => tool.name);
const calls = {};
for (const [label, what] of Object.entries(job.calls)) calls[label] = await call(...what);
if (transport.sessionId) await transport.terminateSession();
await client.close();
console.log(JSON.stringify({ version, tools, calls, complaints }));
