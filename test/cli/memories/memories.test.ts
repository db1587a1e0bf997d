import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expectClearExit } from '../../support/clear.ts';
import { makeHome } from '../../support/homes.ts';
import { type Ended, runProgram } from '../../support/program.ts';
import { makeWorkspace, Workspace } from '../../support/workspace.ts';

/** A project with memories, and a home directory with global ones. */
class Notes implements AsyncDisposable {
  readonly project: Workspace;
  readonly home: Workspace;

  constructor(memories: Readonly<Record<string, string>>, config: Readonly<Record<string, unknown>> = {}) {
    this.project = makeWorkspace({ '.serena/project.yml': '' });
    this.home = new Workspace(makeHome(config));
    for (const [name, text] of Object.entries(memories)) {
      if (name.startsWith('global/')) this.home.write(`memories/${name}.md`, text);
      else this.project.write(`.serena/memories/${name}.md`, text);
    }
  }

  run(args: readonly string[], input = ''): Promise<Ended> {
    const env = { SERENA_HOME: this.home.root };
    return runProgram(['memories', ...args], { cwd: this.project.root, env, input });
  }

  text(name: string): string {
    return this.project.read(`.serena/memories/${name}.md`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.project[Symbol.asyncDispose]();
  }
}

const readOnly = { read_only_memory_patterns: ['fixed/.*'] };

describe('memories', () => {
  test('list separates writable from read-only memories, all or below a topic', async () => {
    await using notes = new Notes({ core: 'a', 'auth/login': 'b', 'fixed/rules': 'c', 'global/style': 'd' }, readOnly);
    const all = await notes.run(['list']);
    expect(all).toEqual({
      code: 0,
      stdout: 'Memories:\n  auth/login\n  core\n  global/style\nRead-only memories:\n  fixed/rules\n',
      stderr: '',
    });
    expect((await notes.run(['list', '-t', 'auth'])).stdout).toBe('Memories:\n  auth/login\n');
    expect((await notes.run(['list', '--topic', 'none'])).stdout).toBe('There are no memories\n');
    expect(JSON.parse((await notes.run(['list', '--json'])).stdout)).toEqual({
      memories: ['auth/login', 'core', 'global/style'],
      read_only_memories: ['fixed/rules'],
    });
  });

  test('write reads a text, a file or stdin, in this order', async () => {
    await using notes = new Notes({});
    notes.project.write('notes.md', 'from a file\n');
    const both = ['write', 'one', '--content', 'given', '--file', 'notes.md'];
    expect(await notes.run(both, 'piped')).toMatchObject({ code: 0, stdout: 'Memory one written\n' });
    await notes.run(['write', 'topic/two', '--file', 'notes.md'], 'piped');
    await notes.run(['write', 'mem:three.md'], 'piped\n');
    expect([notes.text('one'), notes.text('topic/two'), notes.text('three')]).toEqual([
      'given',
      'from a file\n',
      'piped\n',
    ]);
    expect((await notes.run(['read', 'topic/two'])).stdout).toBe('from a file\n');
    expectClearExit(await notes.run(['write', 'four', '--file', 'none.md']), 2, '`none.md`');
    expectClearExit(await notes.run(['write', '../five', '--content', 'x']), 1, '`../five`');
  });

  test('let the user write read-only memories, but not hidden ones', async () => {
    await using notes = new Notes(
      { 'fixed/rules': 'old', 'hidden/secret': 'old' },
      { ...readOnly, ignored_memory_patterns: ['hidden/.*'] },
    );
    expect((await notes.run(['write', 'fixed/rules', '--content', 'new'])).code).toBe(0);
    expect(notes.text('fixed/rules')).toBe('new');
    expectClearExit(await notes.run(['write', 'hidden/secret', '--content', 'new']), 1, 'hidden/secret');
    expectClearExit(await notes.run(['read', 'hidden/secret']), 1, 'hidden/secret');
    expect(notes.text('hidden/secret')).toBe('old');
  });

  test('delete reports whether the memory existed', async () => {
    await using notes = new Notes({ core: 'a' });
    expect(await notes.run(['delete', 'core'])).toMatchObject({ code: 0, stdout: 'Memory core deleted\n' });
    expect(await notes.run(['delete', 'core'])).toMatchObject({ code: 0, stdout: 'Memory core not found\n' });
  });

  test('rename updates the references', async () => {
    await using notes = new Notes({ login: 'See `mem:login`.', core: 'mem:login and mem:login2', other: '' });
    const { code, stdout } = await notes.run(['rename', 'login', 'auth/login']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Memory login renamed to auth/login\nChanged 2 references in auth/login, core\n',
    });
    expect([notes.text('auth/login'), notes.text('core')]).toEqual([
      'See `mem:auth/login`.',
      'mem:auth/login and mem:login2',
    ]);
    expectClearExit(await notes.run(['rename', 'core', 'other']), 1, '`other`');
  });

  test('edit replaces a text or a pattern, several only if allowed', async () => {
    await using notes = new Notes({ core: 'one\ntwo\none\n' });
    expectClearExit(await notes.run(['edit', 'core', '--needle', 'one', '--repl', 'x']), 1, '2');
    expect(notes.text('core')).toBe('one\ntwo\none\n');
    const several = ['--needle', 'one', '--repl', '1', '--allow-multiple-occurrences'];
    expect((await notes.run(['edit', 'core', ...several])).stdout).toBe('Memory core edited: 2 matches\n');
    await notes.run(['edit', 'core', '--needle', '^(t.o)$', '--repl', '<$!1>', '--mode', 'regex']);
    expect(notes.text('core')).toBe('1\n<two>\n1\n');
    expectClearExit(await notes.run(['edit', 'core', '--needle', 'x']), 2, '--repl');
  });

  test('initialize creates the memory about maintaining memories once', async () => {
    await using notes = new Notes({});
    expect(await notes.run(['initialize'])).toMatchObject({ code: 0, stdout: 'mem:memory_maintenance\n' });
    expect(notes.text('memory_maintenance')).not.toBe('');
    notes.project.write('.serena/memories/memory_maintenance.md', 'mine');
    await notes.run(['initialize']);
    expect(notes.text('memory_maintenance')).toBe('mine');
    await using shared = new Notes({ 'global/memory_maintenance': 'ours' });
    expect((await shared.run(['initialize'])).stdout).toBe('mem:global/memory_maintenance\n');
  });

  test('suggest similar names for an unknown memory', async () => {
    await using notes = new Notes({ conventions: 'a' });
    const ended = await notes.run(['read', 'convention']);
    expectClearExit(ended, 1, 'did you mean `conventions`?', 'serena memories list');
    expect(ended.stderr).not.toContain('list_memories');
  });

  test('require a project, by directory or name, and do not create one', async () => {
    await using directory = makeWorkspace({ 'a.txt': '' });
    const home = makeHome();
    const run = (...args: string[]) =>
      runProgram(['memories', ...args], { cwd: directory.root, env: { SERENA_HOME: home } });
    for (const args of [['list'], ['write', 'core', '--content', 'x'], ['initialize'], ['check']])
      expectClearExit(await run(...args), 2, 'is not a project', 'serena project create');
    expect(readdirSync(directory.root)).toEqual(['a.txt']);
    await using notes = new Notes({ core: 'here' });
    expect((await runProgram(['memories', 'read', 'core', notes.project.root])).stdout).toBe('here\n');
    expect(existsSync(join(home, 'memories'))).toBe(false);
  });
});

describe('memories check', () => {
  const messy = {
    core: 'Start at mem:auth/login, mem:auth/logn, mem:gone and `mem:core`.\nmem:v1.2 mem:global/style\n',
    'auth/login': 'The module auth/login_flow; conventions; auth/login itself; core.\nAnd tools.\n',
    'auth/login_flow': 'mem:login is nearly right. auth/login-flow is written otherwise.',
    conventions: 'nothing',
    tools: 'nothing',
    'v1.2': 'mem:v1.2 and mem:v1.3',
    'fixed/rules': 'mem:nowhere/at/all',
    memory_maintenance: 'Write mem:NAME.',
    'global/style': 'mem:conventons',
  };

  test('reports broken references with suggestions', async () => {
    await using notes = new Notes(messy, readOnly);
    expect(await notes.run(['check'])).toEqual({
      code: 0,
      stdout: `Broken references:
  auth/login_flow
    line 1: mem:login; did you mean mem:auth/login?
  core
    line 1: mem:auth/logn; did you mean mem:auth/login, mem:auth/login_flow?
    line 1: mem:gone
  fixed/rules (read-only)
    line 1: mem:nowhere/at/all
  global/style
    line 1: mem:conventons; did you mean mem:conventions?
  v1.2
    line 1: mem:v1
`,
      stderr: '',
    });
  });

  test('reports names without a prefix by confidence, and words similar to names', async () => {
    await using notes = new Notes(messy);
    const { stdout } = await notes.run(['check', '--include-unmarked', '--fuzzy-matching']);
    const [, sure = '', plain = '', similar = ''] = stdout.split(/^(?=[A-Z].*:$)/m);
    expect(sure).toContain('  auth/login\n    line 1: auth/login_flow\n    line 1: conventions\n');
    expect(plain).toContain('  auth/login\n    line 2: tools\n');
    expect(similar).toContain('  auth/login_flow\n    line 1: auth/login-flow; did you mean mem:auth/login?\n');
    // Neither the memory itself nor the word that every project uses.
    expect(stdout).not.toMatch(/line \d: (auth\/login|core)$/m);
  });

  test('prints JSON, and reports that nothing is broken', async () => {
    await using notes = new Notes({ core: 'mem:tools', tools: 'a' });
    expect(await notes.run(['check'])).toMatchObject({
      code: 0,
      stdout: 'No broken references in 2 memories\n',
    });
    await notes.run(['delete', 'tools']);
    const json = JSON.parse((await notes.run(['check', '--json'])).stdout);
    expect(json).toEqual({
      memories: 1,
      unread: [],
      findings: [
        {
          memory: 'core',
          read_only: false,
          stale: [{ text: 'tools', line: 1, candidates: [] }],
          unmarked: [],
          similar: [],
        },
      ],
    });
  });

  test('lists unreadable memories, and warns that --fuzzy-matching alone has no effect', async () => {
    await using notes = new Notes({ core: 'a' });
    notes.project.write('.serena/memories/bytes.md', new Uint8Array([255, 254, 128, 129, 200]));
    const { code, stderr } = await notes.run(['check', '--fuzzy-matching']);
    expect(code).toBe(0);
    expect(stderr).toContain('`--include-unmarked`');
    expect(stderr).toContain('Not checked: bytes');
  });
});

describe('memories auto-prefix-references', () => {
  const plain = {
    core: 'See auth/login, `conventions` and tools. Not auth/login2, myconventions or mem:auth/login.\r\nconventions\r\n',
    'auth/login': 'auth/login is this one; core is a word.',
    conventions: 'a',
    tools: 'b',
    'fixed/rules': 'auth/login',
    'global/style': 'conventions',
  };

  test('prefixes unambiguous names, and reports what it skipped and why', async () => {
    await using notes = new Notes(plain, readOnly);
    const { code, stdout } = await notes.run(['auto-prefix-references']);
    expect(code).toBe(0);
    expect(stdout).toBe(`Prefixed:
  core: auth/login, conventions, conventions
Not prefixed, may be ordinary words (\`--include-flat-names\`):
  core: tools
Not prefixed, in read-only memories (\`--include-read-only\`):
  fixed/rules: auth/login
Not prefixed, in global memories (\`--include-global\`):
  global/style: conventions
`);
    expect(notes.text('core')).toBe(
      'See mem:auth/login, `mem:conventions` and tools. Not auth/login2, myconventions or mem:auth/login.\r\nmem:conventions\r\n',
    );
    expect([notes.text('auth/login'), notes.text('fixed/rules')]).toEqual([plain['auth/login'], 'auth/login']);
    expect((await notes.run(['check'])).stdout).toContain('No broken references');
  });

  test('changes nothing with --dry-run, and everything with every flag, once', async () => {
    await using notes = new Notes(plain, readOnly);
    const flags = ['--include-flat-names', '--include-read-only', '--include-global'];
    const dry = await notes.run(['auto-prefix-references', '--dry-run', '--json', ...flags]);
    expect(JSON.parse(dry.stdout)).toEqual({
      dry_run: true,
      rewritten: [
        { memory: 'core', names: ['auth/login', 'conventions', 'tools', 'conventions'] },
        { memory: 'fixed/rules', names: ['auth/login'] },
        { memory: 'global/style', names: ['conventions'] },
      ],
      left: { flat_names: [], read_only: [], global: [] },
    });
    expect(notes.text('core')).toBe(plain.core);
    await notes.run(['auto-prefix-references', ...flags]);
    expect(notes.text('fixed/rules')).toBe('mem:auth/login');
    expect(notes.home.read('memories/global/style.md')).toBe('mem:conventions');
    const again = await notes.run(['auto-prefix-references', ...flags]);
    expect(again.stdout).toBe('Every memory name already has the prefix `mem:`\n');
  });
});
