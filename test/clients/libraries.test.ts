import { expect } from 'bun:test';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fetchPackages } from '../../scripts/support/fetch-packages.ts';
import { whyNoNamespaces, withoutRouteAndDaemons } from '../support/no-route.ts';
import { runProgram } from '../support/program.ts';
import { fetchPythonPackages } from '../support/python-packages.ts';
import { rounds } from '../support/rounds.ts';
import { testUnless, whyNoPython } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const sdk = ['mcp==2.3.0', 'fastmcp==4.1.2'];
const langchain = ['langchain-mcp-adapters==0.3.2', 'mcp==1.30.0'];
const inspector = '2.12.0';

/** What a library lists and what a call of `find_symbol` returns, as Python that has the entry in `server`. */
const scripts = {
  [sdk[0] ?? '']: [
    sdk,
    `from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
async def main():
    async with stdio_client(StdioServerParameters(**server)) as streams, ClientSession(*streams) as session:
        await session.initialize()
        print([tool.name for tool in (await session.list_tools()).tools])
        print((await session.call_tool("find_symbol", {"name_path_pattern": "Basket"})).content)`,
  ],
  [sdk[1] ?? '']: [
    sdk,
    `from fastmcp import Client
async def main():
    async with Client({"mcpServers": {"serena": server}}) as client:
        print([tool.name for tool in await client.list_tools()])
        print((await client.call_tool("find_symbol", {"name_path_pattern": "Basket"})).content)`,
  ],
  [langchain[0] ?? '']: [
    langchain,
    `from langchain_mcp_adapters.client import MultiServerMCPClient
async def main():
    tools = await MultiServerMCPClient({"serena": {**server, "transport": "stdio"}}).get_tools()
    print([tool.name for tool in tools])
    print(await [tool for tool in tools if tool.name == "find_symbol"][0].ainvoke({"name_path_pattern": "Basket"}))`,
  ],
} as const;

/** Runs a command in a project, without a route to any other machine, and returns its output. */
async function runInProject(command: readonly string[]): Promise<string> {
  await using project = makeWorkspace({
    'basket.ts': 'export class Basket {\n  total = 1;\n}\n',
    '.serena/project.yml': '',
  });
  const [program = '', ...args] = [...withoutRouteAndDaemons, ...command];
  const env = { HOME: makeTempDir('home'), PATH: process.env.PATH, MCP_INSPECTOR_SECRET_STORE: 'memory' };
  const child = spawn(program, args, { cwd: project.root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await new Promise((resolve) => child.once('close', resolve));
  return output;
}

/** Returns a configuration with `mcpServers`, as most clients read it. */
async function configuration(): Promise<string> {
  return (await runProgram(['setup', 'cursor', '--print'])).stdout;
}

/** In the usual run those that one environment has. */
const asked = Object.entries(scripts).filter(([, [packages]]) => rounds(packages === sdk, true));

for (const [name, [packages, script]] of asked) {
  testUnless(whyNoNamespaces() ?? whyNoPython())(
    `${name} connects, lists the tools and calls one`,
    async () => {
      const python = await fetchPythonPackages(...packages);
      const { mcpServers } = JSON.parse(await configuration());
      const read = 'import asyncio, json, sys\nserver = json.loads(sys.argv[1])\n';
      const output = await runInProject([
        ...[python, '-c', `${read}${script}\nasyncio.run(main())`],
        JSON.stringify(mcpServers.serena),
      ]);
      expect(output).toContain("'find_symbol'");
      expect(output).toContain('Class Basket');
    },
    400_000,
  );
}

testUnless(whyNoNamespaces())(
  `MCP Inspector ${inspector} connects, lists the tools and calls one`,
  async () => {
    const packages = await fetchPackages('@modelcontextprotocol/inspector', inspector);
    const config = join(makeTempDir('config'), 'mcp.json');
    await Bun.write(config, await configuration());
    const ask = (...args: string[]) =>
      runInProject([
        join(packages, 'node_modules/.bin/mcp-inspector'),
        ...['--cli', '--config', config, '--server', 'serena', '--method', ...args],
      ]);
    expect(await ask('tools/list')).toContain('"find_symbol"');
    const call = ['tools/call', '--tool-name', 'find_symbol', '--tool-arg', 'name_path_pattern=Basket'];
    expect(await ask(...call)).toContain('Class Basket');
  },
  400_000,
);
