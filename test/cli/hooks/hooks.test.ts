import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { simpleCommands } from '../../../src/hooks/tool-call.ts';
import { programCommand, startClient } from '../../support/client.ts';
import { denial, type HookClient, HookSession, hookClients } from '../../support/hook-session.ts';
import { runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const code = { file_path: '/p/src/a.py' };
const prose = { file_path: '/p/README.md' };

describe('hooks remind classifies calls as searches and reads, by client', () => {
  test.each<[HookClient, string, unknown, 'grep' | 'read' | 'neither']>([
    ['claude-code', 'Grep', { pattern: 'x' }, 'grep'],
    ['claude-code', 'mcp__serena__search_for_pattern', {}, 'grep'],
    ['claude-code', 'Read', code, 'read'],
    ['claude-code', 'Read', {}, 'read'],
    ['claude-code', 'Read', prose, 'neither'],
    ['claude-code', 'mcp__serena__read_file', code, 'read'],
    ['claude-code', 'Bash', { command: 'grep -rn x .' }, 'grep'],
    ['claude-code', 'Bash', { command: 'cd repo && rg foo' }, 'grep'],
    ['claude-code', 'Bash', { command: 'cd /tmp; LC_ALL=C env -i A=1 ugrep "a b" | head -5' }, 'grep'],
    ['claude-code', 'Bash', { command: '(cd a || exit 1\nexec ug x) 2>/dev/null' }, 'grep'],
    ['claude-code', 'Bash', { command: 'npm test 2>&1 | tail -n 20' }, 'neither'],
    ['claude-code', 'Bash', { command: 'echo "x && rg foo; cat a.py"' }, 'neither'],
    ['claude-code', 'Bash', { command: "awk '/x/ { print }' src/a.py > out.txt" }, 'read'],
    ['claude-code', 'Bash', { command: 'cat notes.md > src/a.py' }, 'neither'],
    ['claude-code', 'Bash', { command: 'cat <<EOF > src/a.py\nx = 1\nEOF' }, 'neither'],
    ['claude-code', 'Bash', { command: "sed -i 's/a/b/' src/a.py" }, 'neither'],
    ['claude-code', 'Bash', { command: 'ls src/a.py && cat README.md' }, 'neither'],
    ['claude-code', 'Bash', { command: 'cat Page.astro' }, 'read'],
    ['claude-code', 'mcp__shell__run', { command: 'rg x' }, 'neither'],
    ['codebuddy', 'bash', { command: 'command grep x a.c' }, 'grep'],
    ['zcode', 'Bash', { command: 'rg x' }, 'grep'],
    ['dsh', 'bash', { command: 'bash -c "cd a && cat b.rs"' }, 'read'],
    ['claude-code', 'NotebookRead', code, 'neither'],
    ['codebuddy', 'grep', {}, 'grep'],
    ['codebuddy', 'read', { filePath: 'a.ts' }, 'read'],
    ['vscode', 'copilot_grepSearch', {}, 'grep'],
    ['vscode', 'read_file', { filePath: '/p/a.ts' }, 'read'],
    ['vscode', 'open_file', { filePath: '/p/a.md' }, 'neither'],
    ['vscode', 'edit_file', { filePath: '/p/a.ts' }, 'neither'],
    ['vscode', 'run_in_terminal', { command: 'rg x' }, 'neither'],
    ['vscode', 'Grep', { pattern: 'x' }, 'grep'],
    ['vscode', 'Read', { path: '/p/a.ts' }, 'read'],
    ['vscode', 'Read', { path: '/p/a.md' }, 'neither'],
    ['vscode', 'Bash', { command: 'rg x', description: 'search' }, 'grep'],
    ['gemini', 'grep_search', { pattern: 'x' }, 'grep'],
    ['gemini', 'read_file', code, 'read'],
    ['gemini', 'read_file', prose, 'neither'],
    ['gemini', 'read_many_files', { include: ['src/**'] }, 'read'],
    ['gemini', 'run_shell_command', { command: 'rg x' }, 'grep'],
    ['gemini', 'write_file', code, 'neither'],
    ['gemini', 'list_directory', { dir_path: 'src' }, 'neither'],
    ['qwen-code', 'grep_search', { pattern: 'x' }, 'grep'],
    ['qwen-code', 'read_file', code, 'read'],
    ['qwen-code', 'run_shell_command', { command: 'cat a.py' }, 'read'],
    ['qwen-code', 'edit', code, 'neither'],
    ['codex', 'Bash', { command: 'rg -n "two words" src' }, 'grep'],
    ['codex', 'Bash', { cmd: '/usr/bin/egrep x' }, 'grep'],
    ['codex', 'Bash', { command: ['bash', '-lc', 'rg x'] }, 'grep'],
    ['codex', 'Bash', { command: ['grep', '-n', 'x'] }, 'grep'],
    ['codex', 'Bash', { command: "sed -n 1,80p 'src/a b.rs'" }, 'read'],
    ['codex', 'Bash', { command: 'cat README.md' }, 'neither'],
    ['codex', 'Bash', { command: 'cat' }, 'neither'],
    ['codex', 'Bash', { command: 'git grep x' }, 'neither'],
    ['codex', 'Bash', { command: '' }, 'neither'],
    ['codex', 'my_grep', {}, 'grep'],
    ['grok', 'grep', {}, 'grep'],
    ['grok', 'my_grep', {}, 'neither'],
    ['grok', 'run_terminal_cmd', { command: 'ag x' }, 'grep'],
    ['grok', 'read_file', { target_file: 'a.go' }, 'read'],
    ['grok', 'read_file', { targetFile: 'a.txt' }, 'neither'],
    ['grok', 'bash', { command: 'head -n 5 Main.JAVA' }, 'read'],
  ])('%s: %s %j is %s', async (client, tool, input, kind) => {
    const session = new HookSession(client);
    const refused = await session.firstRefused([
      [tool, input],
      [tool, input],
      [tool, input],
    ]);
    expect(refused).toBe(kind === 'neither' ? 0 : 3);
    expect(existsSync(session.state)).toBe(kind !== 'neither');
  });
});

describe.each(hookClients)('hooks remind for %s', (client) => {
  const searches: Partial<Record<HookClient, readonly [string, unknown]>> = {
    codex: ['Bash', { command: 'rg x' }],
    gemini: ['grep_search', {}],
    'qwen-code': ['grep_search', {}],
  };
  const search = searches[client] ?? ['grep', {}];
  const readers = {
    'claude-code': 'read',
    codebuddy: 'read',
    vscode: 'read_file',
    codex: 'read_file',
    grok: 'read_file',
    gemini: 'read_file',
    'qwen-code': 'read_file',
    zcode: 'read',
    dsh: 'read',
  };
  const read: readonly [string, unknown] = [readers[client], code];

  test('denies the third search in a row with a reminder, and allows the next one', async () => {
    const session = new HookSession(client);
    expect(await session.firstRefused([search, search])).toBe(0);
    expect(await session.answer('remind', ...search)).toEqual(denial(client, expect.stringMatching(/searched.*reset/)));
    expect(await session.firstRefused([search, search, search, search])).toBe(0);
  });

  test('denies the third read, and the fourth call of both kinds together', async () => {
    expect(await new HookSession(client).firstRefused([read, read, read])).toBe(3);
    const mixed = new HookSession(client);
    expect(await mixed.firstRefused([read, search, read])).toBe(0);
    expect(await mixed.answer('remind', ...search)).toEqual(
      denial(client, expect.stringContaining('searched and read')),
    );
  });

  test('resets the counts after a symbol tool, but not after other tools', async () => {
    const session = new HookSession(client);
    const symbols: readonly [string] = ['mcp__serena__find_symbol'];
    expect(await session.firstRefused([search, search, symbols, search, search])).toBe(0);
    expect(await session.firstRefused([['edit'], search])).toBe(2);
  });
});

describe('hooks remind', () => {
  const grep: readonly [string] = ['Grep'];

  /** Moves the stored times of a session this many seconds into the past. */
  function age(session: HookSession, seconds: number): void {
    const aged = readFileSync(session.state, 'utf8').replace(/"(\w+_ms)":(\d+)/g, (_all, key, at) => {
      return `"${key}":${Number(at) - seconds * 1000}`;
    });
    writeFileSync(session.state, aged);
  }

  test('resets the counts after a long pause', async () => {
    const session = new HookSession();
    await session.firstRefused([grep, grep]);
    age(session, 1_010);
    expect(await session.firstRefused([grep])).toBe(0);
    const another = new HookSession();
    await another.firstRefused([grep, grep]);
    age(another, 990);
    expect(await another.firstRefused([grep])).toBe(1);
  });

  test('keeps the combined count for longer', async () => {
    const session = new HookSession();
    await session.firstRefused([grep, grep]);
    age(session, 1_500);
    expect(await session.firstRefused([grep, ['Read', code]])).toBe(2);
  });

  test('neither denies nor counts calls for two minutes after a denial', async () => {
    const session = new HookSession();
    expect(await session.firstRefused([grep, grep, grep])).toBe(3);
    expect(await session.firstRefused([grep, grep, grep, grep, grep])).toBe(0);
    age(session, 121);
    expect(await session.firstRefused([grep, grep])).toBe(0);
    expect(await session.firstRefused([grep])).toBe(1);
  });

  test('keeps sessions apart', async () => {
    const session = new HookSession();
    await session.firstRefused([grep, grep]);
    expect(await session.answer('remind', 'Grep', {}, { session_id: 's-2' })).toBe('');
    expect(await session.firstRefused([grep])).toBe(1);
  });

  test('works if its state is corrupt or cannot be stored', async () => {
    const session = new HookSession();
    mkdirSync(join(session.home, 'hook_data/s-1'), { recursive: true });
    writeFileSync(session.state, '{"grep": {"count": -4}');
    expect(await session.firstRefused([grep, grep])).toBe(0);
    const stuck = new HookSession();
    writeFileSync(join(stuck.home, 'hook_data'), 'a file in the place of the directory');
    expect(await stuck.firstRefused([grep, grep, grep, grep])).toBe(0);
  });

  test('never writes outside its directory, whatever the session id is', async () => {
    const session = new HookSession();
    for (const id of ['../../x', '..', '/etc/x', 'a/b', 'x'.repeat(300), 'ü', 'con:1']) {
      await session.answer('remind', 'Grep', {}, { session_id: id });
      expect((await session.run('cleanup', JSON.stringify({ session_id: id }))).code).toBe(0);
    }
    expect(readdirSync(session.home)).toEqual(['hook_data']);
    expect(readdirSync(join(session.home, 'hook_data'))).toEqual([]);
  });
});

test('hooks remind reads the begin of a script only, however long it is', () => {
  expect(simpleCommands(`${'a|'.repeat(10)}rg x`).at(-1)).toEqual(['rg', 'x']);
  // A megabyte: each command costs time, and a client waits for 5 s.
  expect(simpleCommands('a|'.repeat(500_000))).toHaveLength(50_000);
});

test.each([
  ['auto-edit', true],
  ['auto_edit', true],
  ['auto', true],
  ['default', false],
  ['yolo', false],
])('hooks auto-approve answers a request for permission of Qwen Code in the mode %s', async (mode, isApproved) => {
  const session = new HookSession('qwen-code');
  const answer = await session.answer('auto-approve', 'mcp__serena__find_symbol', {}, { permission_mode: mode });
  const decision = { behavior: 'allow', message: expect.any(String) };
  expect(answer).toEqual(isApproved ? { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } } : '');
});

describe('hooks activate and cleanup', () => {
  test.each(hookClients)(
    '%s: activate tells the agent what to do first, whatever it is told itself',
    async (client) => {
      const session = new HookSession(client);
      for (const input of ['{"session_id": "s-1"}', '', 'no JSON']) {
        const { code: exit, stdout } = await session.run('activate', input);
        expect(exit).toBe(0);
        const additionalContext = expect.stringMatching(/activate_project.*initial_instructions/);
        expect(JSON.parse(stdout)).toEqual({
          ...(client === 'vscode' ? { additionalContext } : {}),
          hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext },
        });
      }
      expect(readdirSync(session.home)).toEqual([]);
    },
  );

  /** The contexts in which the clients that run the hooks start the server, where setup knows them. */
  const contexts: Partial<Record<HookClient, readonly string[]>> = {
    vscode: ['vscode', 'ide'],
    gemini: ['ide'],
    'qwen-code': ['ide'],
    dsh: ['desktop-app'],
  };

  test.each(hookClients)('%s: activate names only tools that the server lists in the project', async (client) => {
    const { root } = makeWorkspace({ '.serena/project.yml': 'project_name: p\n' });
    const session = new HookSession(client);
    const { stdout } = await session.run('activate', '{}', { cwd: root });
    const named = [...stdout.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    expect(named).toContain('initial_instructions');
    expect(named.includes('activate_project')).toBe(client === 'codex' || client === 'dsh');
    for (const context of contexts[client] ?? [client]) {
      await using server = await startClient({ args: ['--context', context, '--project', root] });
      const listed = (await server.tools()).map(({ name }) => name);
      expect([context, named.filter((name) => !listed.includes(name))]).toEqual([context, []]);
    }
  });

  test('activate names the tools of the context in the entry of the client', async () => {
    const home = makeTempDir('user');
    const session = new HookSession('gemini');
    const { root } = makeWorkspace({ '.serena/project.yml': 'project_name: p\n' });
    const entry = { command: 'serena', args: ['start-mcp-server', '--context', 'desktop-app', '--project-from-cwd'] };
    mkdirSync(join(home, '.gemini'));
    writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify({ mcpServers: { serena: entry } }));
    const { stdout } = await session.run('activate', '{}', { cwd: root, env: { HOME: home } });
    expect(stdout).toContain('`activate_project`');
  });

  test('activate is silent if the user has excluded what it would name', async () => {
    const session = new HookSession();
    const { root } = makeWorkspace({ '.serena/project.yml': 'project_name: p\n' });
    writeFileSync(join(session.home, 'serena_config.yml'), 'excluded_tools: [initial_instructions]\n');
    expect(await session.run('activate', '{}', { cwd: root })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('the state of sessions that ended without cleanup is deleted after a week', async () => {
    const session = new HookSession();
    await session.answer('remind', 'Grep', {}, { session_id: 's-old' });
    await session.answer('remind', 'Grep', {}, { session_id: 's-recent' });
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    utimesSync(join(session.home, 'hook_data/s-old'), days(8), days(8));
    utimesSync(join(session.home, 'hook_data/s-recent'), days(6), days(6));
    await session.answer('remind', 'Grep');
    expect(readdirSync(join(session.home, 'hook_data')).sort()).toEqual(['s-1', 's-recent']);
  });

  test('cleanup deletes the state of one session and prints nothing', async () => {
    const session = new HookSession();
    await session.answer('remind', 'Grep');
    await session.answer('remind', 'Grep', {}, { session_id: 's-2' });
    expect(await session.run('cleanup', '{"sessionId": "s-1"}')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readdirSync(join(session.home, 'hook_data'))).toEqual(['s-2']);
    expect((await session.run('cleanup', '{"sessionId": "s-1"}')).code).toBe(0);
  });
});

describe('a hook with unusable input fails without denying the call', () => {
  test.each([
    ['remind', ''],
    ['remind', 'no JSON'],
    ['remind', '[]'],
    ['remind', 'null'],
    ['remind', '{"tool_name": "Grep"}'],
    ['remind', '{"session_id": "s-1"}'],
    ['remind', '{"session_id": {}, "tool_name": "Grep"}'],
    ['auto-approve', '{"session_id": "s-1"}'],
    ['auto-approve', '{"tool_name": "mcp__serena__find_symbol", "permission_mode": "auto"}'],
    ['cleanup', '{}'],
    ['cleanup', '{"session_id": ""}'],
    ['cleanup', '\u0000\u0001'],
  ])('%s %j', async (hook, input) => {
    const session = new HookSession();
    const { code: exit, stdout, stderr } = await session.run(hook, input);
    // Clients interpret exit code 2 as a denial, and other non-zero codes as a broken hook.
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/^error: the hook received (no|invalid|JSON on stdin that is not)/);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(readdirSync(session.home)).toEqual([]);
  });

  test('a hook for an unknown client fails without denying the call', async () => {
    const ended = await runProgram(['hooks', 'remind', '--client=vim'], { input: '{}' });
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 1, stdout: '' });
  });

  test('raw control characters, a byte order mark and the case of the client name are accepted', async () => {
    const home = makeTempDir('hook-home');
    const input = '\uFEFF{"session_id": "s-1", "tool_name": "Grep", "tool_input": {"pattern": "a\nb\tc"}}';
    const ended = await runProgram(['hooks', 'remind', '--client=Claude-Code'], { input, env: { SERENA_HOME: home } });
    expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(existsSync(join(home, 'hook_data/s-1/tool_use_counter.json'))).toBe(true);
  });
});

test('a link called serena-hooks is `serena hooks`', async () => {
  const directory = makeTempDir('bin');
  const link = join(directory, 'serena-hooks');
  symlinkSync(programCommand([])[0], link);
  // The link itself is the program that runs; the arguments for running from source are omitted.
  const wrapper = ['/bin/sh', '-c', 'shift; exec "$0" "$@"', link];
  const ended = await runProgram(['activate', '--client=codex'], { wrapper, input: '{}' });
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('SessionStart'),
  });
});

describe('hooks show-config', () => {
  test.each(hookClients)('prints what makes %s run this program', async (client) => {
    const { code: exit, stdout, stderr } = await runProgram(['hooks', 'show-config', '--client', client]);
    expect(exit).toBe(0);
    const { hooks } = JSON.parse(stdout);
    const [program] = programCommand([]);
    expect(Object.keys(hooks)).toContain('SessionStart');
    const commands = [...JSON.stringify(hooks).matchAll(/"command":"([^"]+)","timeout":(\d+)/g)];
    expect(commands.length).toBe(JSON.stringify(hooks).split('"command":').length - 1);
    for (const [, command, timeout] of commands) {
      expect(command).toMatch(/ hooks [a-z-]+ --client=/);
      const unit = client === 'gemini' ? 1000 : 1;
      const seconds = command?.includes(' cleanup ') ? 3 : command?.includes(' verify ') ? 30 : 5;
      expect(Number(timeout)).toBe(seconds * unit);
    }
    expect(new Set(commands.map(([, command]) => command?.split(' ')[0]))).toEqual(new Set([program]));
    expect(stderr).toContain('.json');
  });

  test.each(hookClients)('has the hook that denies calls of %s only on request', async (client) => {
    const show = ['hooks', 'show-config', '--client', client];
    expect((await runProgram(show)).stdout).not.toMatch(/ hooks (remind|reset) /);
    expect((await runProgram([...show, '--remind'])).stdout).toContain(` hooks remind --client=${client}`);
  });

  test('makes Codex reset the counts after Serena calls', async () => {
    const { stdout } = await runProgram(['hooks', 'show-config', '--client', 'codex', '--remind']);
    const [after] = JSON.parse(stdout).hooks.PostToolUse;
    expect(after).toMatchObject({
      matcher: '^mcp__serena__.*$',
      hooks: [{ command: expect.stringContaining(' reset ') }],
    });
  });
});
