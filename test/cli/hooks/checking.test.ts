// The hooks that tell an agent what its edits break: after an edit, and at the end of a turn.
import { expect, test } from 'bun:test';
import { randomUUID } from 'node:crypto';
import { searchedNames } from '../../../src/hooks/searched-names.ts';
import { editedFiles, searchPatterns } from '../../../src/hooks/tool-call.ts';
import { makeHome, sharedStore } from '../../support/homes.ts';
import { type HookClient, HookSession } from '../../support/hook-session.ts';
import { runProgram } from '../../support/program.ts';
import { TestService, whyNoService } from '../../support/service.ts';
import { testUnless } from '../../support/skip.ts';
import { makeTempDir, sharedHome } from '../../support/temp.ts';
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

test.each<[pattern: string, names: readonly string[]]>([
  ['clean', ['clean']],
  ['\\bclean\\b', ['clean']],
  ['^def\\s+clean\\(', ['clean']],
  ['\\.clean\\(self', ['clean']],
  ['Field\\.clean', ['clean']],
  ['std::vector', ['vector']],
  ['export async function play', ['play']],
  ['class Basket:', ['Basket']],
  ['total =', ['total']],
  ['(def|class) Basket', []],
  ['one|two\\|three|four', ['one', 'two', 'three']],
  ['no name', []],
  ['.*clean', []],
  ['clean.*', []],
  ['ab', []],
  ['[a-z]+', []],
])('a search for %s looks for the names %j', (pattern, names) => {
  expect(searchedNames([pattern])).toEqual([...names]);
});

test.each<[client: HookClient, tool: string, input: Readonly<Record<string, unknown>>, patterns: readonly string[]]>([
  ['claude-code', 'grep', { pattern: 'Basket', path: 'src' }, ['Basket']],
  ['claude-code', 'bash', { command: 'grep -rn Basket .' }, ['Basket']],
  ['claude-code', 'bash', { command: "cd src && rg -n 'def clean' -A 3 --type py" }, ['def clean']],
  ['claude-code', 'bash', { command: "grep -rn -A 3 --include '*.py' -e one -e two src" }, ['one', 'two']],
  ['claude-code', 'bash', { command: 'git grep -n total' }, ['total']],
  ['claude-code', 'bash', { command: 'git log --oneline' }, []],
  ['claude-code', 'read', { pattern: 'Basket' }, []],
  ['gemini', 'search_file_content', { pattern: 'Basket' }, ['Basket']],
  ['codex', 'bash', { command: ['bash', '-lc', 'rg Basket'] }, ['Basket']],
])('%s: the call %s %j searches for %j', (client, tool, input, patterns) => {
  expect(searchPatterns(client, tool, input)).toEqual([...patterns]);
});

const patch = '*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** Add File: b.py\n+z\n*** End Patch\n';

test.each<[HookClient, string, Readonly<Record<string, unknown>>, readonly string[] | undefined]>([
  ['claude-code', 'edit', { file_path: '/p/a.py' }, ['/p/a.py']],
  ['claude-code', 'read', { file_path: '/p/a.py' }, undefined],
  ['claude-code', 'bash', { command: "sed -i 's/a/b/' a.py" }, []],
  ['claude-code', 'bash', { command: 'git mv a.py b.py' }, []],
  ['claude-code', 'bash', { command: "sed -n '1,5p' a.py; git status" }, undefined],
  ['codex', 'apply_patch', { command: patch }, ['src/a.py', 'b.py']],
  ['gemini', 'replace', { file_path: 'a.py' }, ['a.py']],
  ['qwen-code', 'write_file', { file_path: 'a.py' }, ['a.py']],
  ['vscode', 'replace_string_in_file', { filePath: 'a.py' }, ['a.py']],
  ['vscode', 'read', { path: 'a.py' }, undefined],
])('%s: the call %s %j edits %j', (client, tool, input, files) => {
  expect(editedFiles(client, tool, input)).toEqual(files);
});

testUnless(whyNoService)(
  'a search for a name lists its symbols with a command for each, once, and starts no server',
  async () => {
    await using project = makeWorkspace({
      '.serena/project.yml': '',
      'shop.py':
        'class Basket:\n    def total(self):\n        return 1\n\n\nclass Order:\n    def total(self):\n        return 2\n',
      'use.py':
        'from shop import Basket\n\nprint(Basket().total())\n\n\ndef show(basket):\n    return basket.total()\n',
    });
    project.initGit();
    await using service = new TestService(makeHome(), { HOME: makeTempDir('home'), ...sharedStore });
    const session = new HookSession('claude-code');
    const search = async (command: string, id = 's-1') => {
      const event = { session_id: id, cwd: project.root, tool_name: 'Bash', tool_input: { command } };
      const { code, stdout, stderr } = await session.run('facts', JSON.stringify(event), {
        ...{ cwd: project.root, env: service.env },
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput.additionalContext.split('\n');
    };
    /** A hook that has no time is silent: the first question opens the project, and the machine may be busy. */
    const eventuallyFound = async (command: string, expected: RegExp) => {
      for (let attempt = 0; attempt < 40; attempt++) {
        const lines = await search(command, randomUUID());
        if (expected.test(lines?.join('\n') ?? '')) return lines;
      }
      return [];
    };
    expect(await eventuallyFound('grep -rn total .', /./)).toEqual([
      'Serena knows which symbol each of these matches means:',
      '`total`: 2 symbols',
      "- Method: `serena refs 'shop.py#Basket/total'`",
      "- Method: `serena refs 'shop.py#Order/total'`",
    ]);
    expect((await service.status()).servers).toEqual([]);
    const id = randomUUID();
    while ((await search('rg Order', id)) === undefined);
    expect(await search('rg Order', id)).toBeUndefined();
    expect(await search('grep -rn nothing_of_this_name .')).toBeUndefined();

    // Processes with equal environments share a server. One that runs tells how often each is used.
    for (const name of ['Basket', 'Order']) {
      await runProgram(['refs', `shop.py#${name}/total`], { cwd: project.root, env: service.env, timeoutMs });
    }
    expect(await eventuallyFound('grep -rn total .', /open/)).toEqual([
      expect.any(String),
      '`total`: 2 symbols',
      "- Method, 1 reference + 1 open: `serena refs 'shop.py#Basket/total'`",
      "- Method, 0 references + 1 open: `serena refs 'shop.py#Order/total'`",
    ]);
  },
  timeoutMs,
);
