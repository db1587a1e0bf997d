// The hooks that tell an agent what its edits break: after an edit, and at the end of a turn.
import { expect, test } from 'bun:test';
import { randomUUID } from 'node:crypto';
import { HookSession } from '../../support/hook-session.ts';
import { sharedHome } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

/** Allows for the download of a language server. */
const timeoutMs = 240_000;

const files = {
  '.serena/project.yml': 'symbol_source: server\n',
  'shop.py': 'def price(n):\n    return n\n',
  'use.py': 'from shop import price\n\nprint(price(1))\n',
};

test(
  'an edit that breaks a user is named once after it and once at the end of the turn',
  async () => {
    await using project = makeWorkspace(files);
    project.initGit();
    const session = new HookSession('claude-code');
    // The home is shared with other runs of this test.
    const id = randomUUID();
    const run = async (hook: string, more: Readonly<Record<string, unknown>> = {}) => {
      const event = { session_id: id, cwd: project.root, ...more };
      // The hook asks the server of other sessions; without one, 2 s may be too short.
      const env = { SERENA_HOME: sharedHome() };
      const { code, stdout, stderr } = await session.run(hook, JSON.stringify(event), { cwd: project.root, env });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout === '' ? undefined : JSON.parse(stdout);
    };
    const edit = { tool_name: 'Edit', tool_input: { file_path: project.path('shop.py') } };
    expect(await run('verify')).toBeUndefined();
    expect(await run('facts', edit)).toBeUndefined();

    project.write('shop.py', files['shop.py'].replace('price', 'cost'));
    expect(await run('verify', { stop_hook_active: true })).toBeUndefined();
    const { decision, reason } = await run('verify');
    expect(decision).toBe('block');
    expect(reason.split('\n').slice(0, 3)).toEqual([
      'Before you end: the changes since the last commit break something. Repair it, or say why not.',
      'New problems:',
      '  use.py:1: error: "price" is unknown import symbol',
    ]);
    expect(await run('verify')).toBeUndefined();
    // Where the server has too little time, these are the lines with the name.
    const facts = await run('facts', edit);
    if (facts !== undefined) expect(facts.hookSpecificOutput.additionalContext).toContain('use.py:1: ');
    project.write('use.py', files['use.py'].replaceAll('price', 'cost'));
    expect(await run('verify')).toBeUndefined();
    expect(await run('cleanup')).toBeUndefined();
  },
  timeoutMs,
);

test('outside a repository, and without a session, the hooks are silent or say what is missing', async () => {
  await using project = makeWorkspace({ 'a.py': 'x = 1\n' });
  const session = new HookSession('claude-code');
  const event = { session_id: 's-1', cwd: project.root, tool_input: { file_path: project.path('a.py') } };
  for (const hook of ['facts', 'verify']) {
    expect(await session.run(hook, JSON.stringify(event), { cwd: project.root })).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(await session.run(hook, '{}')).toMatchObject({ code: 1, stderr: expect.stringContaining('`session_id`') });
  }
});
