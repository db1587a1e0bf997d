import { describe, expect } from 'bun:test';
import { makeHome, stubServers } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { testUnless, whyNoProgram } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';

/** Runs a command whose language server answers after `delay` ms, on a terminal, and returns what the terminal shows. */
async function shownWith(delay: number, command = 'overview a.py'): Promise<string> {
  await using project = makeWorkspace({
    '.serena/project.yml': 'symbol_source: server\n',
    'a.py': 'def one():\n    pass\n',
    'b.txt': 'def one():\n    return 2\n',
  });
  const home = makeHome(stubServers({ python: ['answers-late', { delay: String(delay) }] }));
  const wrapper = ['sh', '-c', `script -qec "'$1' ${command}" /dev/null`, 'sh'];
  const env = { SERENA_HOME: home, TERM: 'dumb' };
  const { stdout } = await runProgram([], { cwd: project.root, env, wrapper });
  return stdout.replaceAll('\r', '');
}

describe('on a terminal', () => {
  testUnless(whyNoProgram('script', '--version'))('progress is shown after a second, and not before', async () => {
    expect(await shownWith(3_000)).toMatch(/^Starting .*\nWaiting for .*\na\.py:1: Function one\n$/);
    expect(await shownWith(0)).toBe('a.py:1: Function one\n');
  });

  testUnless(whyNoProgram('script', '--version'))('progress of an edit is shown', async () => {
    const shown = await shownWith(2_500, 'replace a.py#one b.txt');
    expect(shown).toMatch(/^Starting [^\n]*\n(?:[^\n]*\n)*Waiting for pyright[^\n]*\n/);
    expect(shown).toEndWith('\nOK\n');
  });
});
