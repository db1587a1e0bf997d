import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { expectClearExit } from '../../support/clear.ts';
import { eventually } from '../../support/eventually.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { canListProcesses, findMarked, markVariable, untilNoneMarked } from '../../support/processes.ts';
import { runProgram } from '../../support/program.ts';
import { testUnless } from '../../support/skip.ts';
import { sharedHome } from '../../support/temp.ts';
import { runInTerminal } from '../../support/terminal.ts';
import { copyFixture, makeWorkspace } from '../../support/workspace.ts';

/** Allows for the download of a language server. */
const timeoutMs = 120_000;

describe('tools call', () => {
  test(
    'returns the same answer as to a client, with a real server',
    async () => {
      await using project = copyFixture('python');
      project.write('.serena/project.yml', 'symbol_source: server\n');
      const args = '{"name_path_pattern": "Basket", "depth": 1}';
      const env = { SERENA_HOME: sharedHome() };
      const call = ['tools', 'call', 'find_symbol', args, '--project', project.root];
      const { code, stdout, stderr } = await runProgram(call, { env, timeoutMs });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject([{ name_path: 'Basket', relative_path: 'shop/helper.py' }]);
    },
    timeoutMs,
  );

  test('reads arguments from stdin, and uses the project of the working directory', async () => {
    await using project = makeWorkspace({ '.serena/project.yml': '', 'a/b/text.txt': 'one\ntwo\n' });
    const options = { cwd: project.path('a/b'), input: '{"relative_path": "a/b/text.txt"}' };
    const ended = await runProgram(['tools', 'call', 'read_file', '-', '--project-from-cwd'], options);
    expect(ended).toEqual({ code: 0, stdout: 'one\ntwo\n', stderr: '' });
  });

  test('works on the project that contains the working directory, as other commands do', async () => {
    await using project = makeWorkspace({ '.serena/project.yml': '', 'a/b/text.txt': 'one\ntwo\n' });
    const args = ['tools', 'call', 'read_file', '{"relative_path": "a/b/text.txt"}'];
    const ended = await runProgram(args, { cwd: project.path('a/b') });
    expect(ended).toEqual({ code: 0, stdout: 'one\ntwo\n', stderr: '' });
    await using bare = makeWorkspace({ 'a/b/text.txt': 'three\n' });
    const unmarked = await runProgram(args, { cwd: bare.root });
    expect(unmarked).toEqual({
      ...{ code: 0, stdout: 'three\n' },
      stderr: `Project: ${bare.root} (no \`.git\` or \`.serena/project.yml\` here or above)\n`,
    });
    expect(existsSync(bare.path('.serena'))).toBe(false);
  });

  test('needs neither arguments nor a project if the tool does not', async () => {
    const { code, stdout } = await runProgram(['tools', 'call', 'initial_instructions']);
    expect(code).toBe(0);
    expect(stdout).toStartWith('<serena>');
  });

  test('writes a long answer completely before it exits', async () => {
    await using project = makeWorkspace({ 'long.txt': 'x'.repeat(140_000) });
    const call = ['tools', 'call', 'read_file', '{"relative_path": "long.txt"}', '--project', project.root];
    // A reader that starts late.
    const { stdout } = await runProgram(call, { wrapper: ['/bin/sh', '-c', '"$@" | { sleep 1; cat; }', 'sh'] });
    expect(stdout).toBe(`${'x'.repeat(140_000)}\n`);
  });

  test('writes gaps to stderr, or into the JSON', async () => {
    await using project = makeWorkspace({ 'a.py': 'def here():\n    pass\n', 'b.py': 'def here():\n    return 1\n' });
    const stub = ['errors-on-symbols', { file: 'b.py' }] as const;
    const env = { SERENA_HOME: makeHome({ ...stubServers({ python: stub }), symbol_source: 'server' }) };
    const call = ['tools', 'call', 'find_symbol', '{"name_path_pattern": "here"}', '--project', project.root];
    const { code, stdout, stderr } = await runProgram(call, { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(1);
    expect(stderr).toStartWith('Incomplete:\n- `b.py` was not searched');
    const json = await runProgram([...call, '--json'], { env });
    expect(json.stderr).toBe('');
    expect(JSON.parse(json.stdout)).toMatchObject({ text: stdout.trimEnd(), gaps: [{ missing: expect.any(String) }] });
  });

  test.each<[string, string[], string[], number?]>([
    ['a tool that fails', ['read_file', '{"relative_path": "no.txt"}', '--project', '.'], ['no.txt', 'hint: ']],
    ['wrong arguments', ['read_file', '{"path": "no.txt"}', '--project', '.'], ['`relative_path`: missing']],
    [
      'no project',
      ['read_file', '{"relative_path": "a"}', '--project-from-cwd'],
      ['no project is active', '--project <name-or-path>'],
    ],
    ['an unknown project', ['read_file', '{"relative_path": "a"}', '--project', 'nowhere'], ['`nowhere`']],
    ['an unknown context', ['read_file', '{}', '--context', 'nowhere'], ['`nowhere`'], 78],
  ])('ends with an exit code and says why: %s', async (_what, args, parts, code = 1) => {
    await using project = makeWorkspace({ 'a.txt': 'a' });
    expectClearExit(await runProgram(['tools', 'call', ...args], { cwd: project.root }), code, ...parts);
  });

  test.each<[string, string[], string[]]>([['an unknown tool', ['red_file', '{}'], ['did you mean `read_file`?']]])(
    'exits with code 2 for an incomplete command line: %s',
    async (_what, args, parts) => {
      expectClearExit(await runProgram(['tools', 'call', ...args]), 2, ...parts);
    },
  );

  test('calls any tool, but with --context only the tools of that context', async () => {
    await using project = makeWorkspace({ 'a.txt': 'one\ntwo\n' });
    const home = makeHome({ excluded_tools: ['read_file'] });
    const call = ['tools', 'call', 'read_file', '{"relative_path": "a.txt"}', '--project', project.root];
    expect((await runProgram(call, { env: { SERENA_HOME: home } })).stdout).toBe('one\ntwo\n');
    const asClient = await runProgram([...call, '--context', 'desktop-app'], { env: { SERENA_HOME: home } });
    expectClearExit(asClient, 1, '`read_file` is not active');
  });

  test('keeps the HTTP token from shell commands', async () => {
    await using project = makeWorkspace({ 'a.txt': 'a' });
    const args = '{"command": "echo \\"[$SERENA_HTTP_TOKEN] [$SEEN]\\""}';
    const env = { SERENA_HTTP_TOKEN: 'token-of-the-user', SEEN: 'yes' };
    const call = ['tools', 'call', 'execute_shell_command', args, '--project', project.root];
    const { stdout } = await runProgram(call, { env });
    expect(JSON.parse(stdout)).toMatchObject({ stdout: '[] [yes]\n', return_code: 0 });
  });

  test('edits nothing in a read-only project', async () => {
    await using project = makeWorkspace({ '.serena/project.yml': 'read_only: true\n' });
    const args = '{"relative_path": "new.txt", "content": "x"}';
    const ended = await runProgram(['tools', 'call', 'create_text_file', args, '--project', project.root]);
    expectClearExit(ended, 1, 'not active');
    expect(existsSync(project.path('new.txt'))).toBe(false);
  });
});

testUnless(canListProcesses ? undefined : 'needs /proc')('a call and its servers end at the first signal', async () => {
  await using project = makeWorkspace({ 'a.py': 'def a():\n    pass\n' });
  const home = makeHome({ ...stubServers({ python: 'never-answers' }), symbol_source: 'server' });
  const env = { SERENA_HOME: home, [markVariable]: 'interrupted-call' };
  const call = ['tools', 'call', 'get_symbols_overview', '{"relative_path": "a.py"}', '--project', project.root];
  const run = runInTerminal(call, { env });
  await eventually('the server to run', () => findMarked('interrupted-call').length > 1);
  run.kill('SIGINT');
  expect(await run.ended).toBe(130);
  expect(stripVTControlCharacters(run.screen)).toContain('error: stopped by SIGINT');
  await untilNoneMarked('interrupted-call');
});

describe('tools description', () => {
  test('prints the description that clients receive, or the full definition as JSON', async () => {
    const { stdout } = await runProgram(['tools', 'description', 'read_file']);
    const listed = JSON.parse((await runProgram(['tools', 'description', 'read_file', '--json'])).stdout);
    expect(listed).toMatchObject({ name: 'read_file', inputSchema: { required: ['relative_path'] } });
    expect(stdout).toBe(`${listed.description}\n`);
  });

  test('uses the descriptions of a context', async () => {
    await using home = makeWorkspace({
      'contexts/mine.yml': 'prompt: ""\ntool_description_overrides:\n  read_file: Reads.\n',
    });
    const env = { SERENA_HOME: home.root };
    const ended = await runProgram(['tools', 'description', 'read_file', '--context', 'mine'], { env });
    expect(ended).toEqual({ code: 0, stdout: 'Reads.\n', stderr: '' });
  });
});

describe('print-system-prompt', () => {
  test('prints the manual for a project, with or without the text around it', async () => {
    await using project = makeWorkspace({ '.serena/project.yml': 'initial_prompt: Mind the gap.\n' });
    const only = await runProgram(['print-system-prompt', project.root, '--only-instructions']);
    expect({ code: only.code, stderr: only.stderr }).toEqual({ code: 0, stderr: '' });
    expect(only.stdout).toStartWith('<serena>');
    expect(only.stdout).toContain('Mind the gap.');
    const whole = (await runProgram(['print-system-prompt', project.root])).stdout;
    expect(whole).toContain(only.stdout);
    expect(whole.length).toBeGreaterThan(only.stdout.length);
  });

  test('needs no project', async () => {
    expect((await runProgram(['print-system-prompt'])).stdout).toContain('<serena>');
  });
});
