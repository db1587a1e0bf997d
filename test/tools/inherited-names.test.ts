import { describe, expect, test } from 'bun:test';
import { expectClearExit } from '../support/clear.ts';
import { startClient } from '../support/client.ts';
import { makeHome, noServers } from '../support/homes.ts';
import { runProgram } from '../support/program.ts';
import { makeWorkspace } from '../support/workspace.ts';

/** Names that every object of JavaScript has. In a table they are keys only if somebody wrote them there. */
describe('names that every object has are ordinary names', () => {
  test('of directories', async () => {
    const names = ['constructor', '__proto__', 'toString'];
    const { root } = makeWorkspace(
      Object.fromEntries(names.map((name) => [`${name}/a.ts`, 'export const one = 1;\n'])),
    );
    const env = { SERENA_HOME: makeHome({ symbol_source: 'syntax' }) };
    await using client = await startClient({ args: ['--project', root], symbolSource: 'configured', env });
    const { blocks } = await client.call('get_symbols_overview', { relative_path: '.' });
    for (const name of names) expect(blocks.join('\n')).toContain(`\`${name}\` (1)`);
  });

  test.each(['constructor', 'toString', '__proto__'])('of modes, contexts and encodings: %s', async (name) => {
    const home = makeHome(noServers());
    const env = { SERENA_HOME: home };
    for (const option of ['--mode', '--context'])
      expectClearExit(await runProgram(['start-mcp-server', option, name], { env }), 78, `\`${name}\``);
    const { root } = makeWorkspace({ '.serena/project.yml': `encoding: ${name}\n`, 'a.txt': 'one\n' });
    await using client = await startClient({ args: ['--project', root], env });
    expect((await client.call('read_file', { relative_path: 'a.txt' })).text).toContain(`\`${name}\``);
  });

  test('of settings', async () => {
    const env = { SERENA_HOME: makeHome(noServers()) };
    for (const key of ['constructor', '__proto__', 'toString']) {
      expectClearExit(await runProgram(['config', 'set', key, '1'], { env }), 2, `has no key \`${key}\``);
      expectClearExit(await runProgram(['config', 'unset', key], { env }), 2, `has no key \`${key}\``);
    }
  });
});
