import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { startClient } from '../../support/client.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { makeWorkspace } from '../../support/workspace.ts';

describe('start-mcp-server', () => {
  test.each([
    [['there'], 'an argument'],
    [['--project-file', 'there'], 'an older flag'],
    [['there', '--project', 'elsewhere'], 'an argument, which counts before the flag'],
  ])('takes the project as older configurations name it: %j, %s', async (args) => {
    await using all = makeWorkspace({ 'there/a.txt': '', 'elsewhere/a.txt': '' });
    await using client = await startClient({ args, cwd: all.root, env: { SERENA_HOME: makeHome() } });
    expect(await client.ask('get_current_config')).toContain(`Active project: there (${all.path('there')})`);
    expect(client.stderr).toContain('--project there');
  });

  test.each([
    ['--trace-lsp-communication', 'true', {}, true],
    ['--trace-lsp-communication', 'false', { trace_lsp_communication: true }, false],
    [undefined, undefined, { trace_lsp_communication: true }, true],
    [undefined, undefined, {}, false],
  ])('logs what is said to servers if asked to: %s %s, %j: %p', async (flag, value, config, isTraced) => {
    await using project = makeWorkspace({ 'a.py': 'def a():\n    pass\n' });
    const home = makeHome({ ...stubServers({ python: 'well-behaved' }), ...config });
    const flags = flag === undefined ? [] : [flag, value ?? ''];
    const args = ['--project', project.root, '--log-level', 'DEBUG', ...flags];
    const client = await startClient({ args, env: { SERENA_HOME: home } });
    await client.ask('get_symbols_overview', { relative_path: 'a.py' });
    await client.close();
    expect(client.stderr.includes('"method":"textDocument/documentSymbol"')).toBe(isTraced);
    const [path = ''] = /(?<=log file: ).*\.txt/.exec(client.stderr) ?? [];
    expect(readFileSync(path, 'utf8').includes('"method":"textDocument/documentSymbol"')).toBe(isTraced);
  });
});
