import { expect, test } from 'bun:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { parse } from 'yaml';
import { clients } from '../../../src/cli/setup/clients.ts';
import { entryCommand } from '../../../src/cli/setup/entry.ts';
import { runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

/** Returns the program and arguments from the output of `setup --print` for a client. */
function commandIn(text: string, { format, servers }: (typeof clients)[number]): [string, ...string[]] {
  // JSON is valid YAML.
  const parsed: unknown = format === 'toml' ? Bun.TOML.parse(text) : parse(text);
  const found = servers.reduce((value, key) => Object(value)[key], parsed);
  const [program = '', ...args] = entryCommand(format === 'yaml-list' ? Object(found)[0] : Object(found).serena);
  return [program, ...args];
}

test.each(clients.map((client) => [client.id, client] as const))(
  'the configuration that setup prints for %s starts a suitable server',
  async (id, client) => {
    await using project = makeWorkspace({ '.serena/project.yml': '', 'deep/a.txt': '' });
    const home = makeTempDir('client-home');
    const [command, ...args] = commandIn((await runProgram(['setup', id, '--print'])).stdout, client);
    const env = { HOME: home, SERENA_HOME: `${home}/.serena`, SERENA_SERVICE: 'off' };
    // Like a client, from the project directory.
    const transport = new StdioClientTransport({ command, args, env, cwd: project.path('deep'), stderr: 'ignore' });
    const connected = new Client({ name: 'test-client', version: '1.0.0' });
    await connected.connect(transport);
    try {
      const names = (await connected.listTools()).tools.map(({ name }) => name);
      expect(names).toContain('find_symbol');
      const manual = await connected.callTool({ name: 'initial_instructions', arguments: {} });
      const isActive = JSON.stringify(manual.content).includes(`at ${project.root}`);
      expect(isActive).toBe(client.hasDirectory);
    } finally {
      await connected.close();
    }
  },
);
