import { describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { linkOf, startWithDashboard, TestPage } from '../support/dashboard.ts';
import { makeHome, noServers } from '../support/homes.ts';
import { runProgram } from '../support/program.ts';
import { rejection } from '../support/rejection.ts';
import { TestService, whyNoService } from '../support/service.ts';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

const serviceTest = testUnless(whyNoService);
const Servers = z.array(z.looseObject({ id: z.string(), state: z.string() }));
const Settings = z.object({ settings: z.array(z.looseObject({ key: z.string(), canChange: z.boolean() })) });
const Edits = z.array(z.looseObject({ id: z.string(), tool: z.string(), isUndone: z.boolean(), canUndo: z.boolean() }));

describe('the dashboard', () => {
  test('shows the session and its calls, done and failed', async () => {
    const { root } = makeWorkspace({ 'a.txt': 'one\n' });
    await using client = await startWithDashboard(root);
    await client.ask('read_file', { relative_path: 'a.txt' });
    await client.call('read_file', { relative_path: 'missing.txt' });
    const page = await TestPage.open(await linkOf(client));
    const states = await page.until(
      'three calls',
      ({ calls }) =>
        calls.size === 3 && [...calls.values()].every(({ state }) => state !== 'running') && [...calls.values()],
    );
    expect(states.map(({ tool, state, args }) => [tool, state, args])).toEqual([
      ['read_file', 'done', '{"relative_path":"a.txt"}'],
      ['read_file', 'failed', '{"relative_path":"missing.txt"}'],
      ['open_dashboard', 'done', '{}'],
    ]);
    const state = await page.until('the state', (seen) => seen.state);
    expect(state.sessions.map(({ project }) => project)).toEqual([root]);
    expect(state.projects.map((project) => project.root)).toEqual([root]);
    expect(state.usage).toContainEqual(expect.objectContaining({ tool: 'read_file', calls: 2, failed: 1 }));
  });

  test('cancels a call that runs, and one that waits for it', async () => {
    const { root } = makeWorkspace({ 'a.txt': 'one\n' });
    await using client = await startWithDashboard(root);
    const page = await TestPage.open(await linkOf(client));
    const running = client.call('execute_shell_command', { command: 'sleep 100000' });
    await page.until('the command to run', ({ calls }) => [...calls.values()].some(({ state }) => state === 'running'));
    const waiting = client.call('create_text_file', { relative_path: 'b.txt', content: 'two\n' });
    const ids = await page.until('the second call to wait', ({ calls }) => {
      const open = [...calls.values()].filter(({ state }) => state === 'queued' || state === 'running');
      return open.length === 2 && open.map(({ id }) => id);
    });
    for (const id of ids.toReversed()) expect(await page.post('calls/cancel', { id })).toEqual({ isCancelled: true });
    const reason = 'the user cancelled this call in the dashboard';
    expect((await running).text).toContain(reason);
    expect((await waiting).text).toContain(reason);
    expect(await page.post('calls/cancel', { id: ids[0] })).toEqual({ isCancelled: false });
    expect(await page.read('edits', { project: root })).toEqual([]);
  });

  test('shows edits with their diffs, and undoes the latest one', async () => {
    await using workspace = makeWorkspace({ 'a.txt': 'one\n' });
    const { root } = workspace;
    await using client = await startWithDashboard(root);
    for (const [needle, repl] of [
      ['one', 'two'],
      ['two', 'three'],
    ])
      await client.ask('replace_content', { relative_path: 'a.txt', needle, repl, mode: 'literal' });
    const page = await TestPage.open(await linkOf(client));
    const edits = async () => Edits.parse(await page.read('edits', { project: root }));
    const [latest, first] = await edits();
    expect([latest?.canUndo, first?.canUndo]).toEqual([true, false]);
    expect(await page.read('edits/diff', { project: root, id: latest?.id ?? '' })).toEqual([
      { path: 'a.txt', diff: expect.stringContaining('-two\n+three\n') },
    ]);
    expect(await rejection(page.post('edits/undo', { project: root, id: first?.id }))).toContain('not the latest edit');
    expect(await page.post('edits/undo', { project: root, id: latest?.id })).toEqual({ paths: ['a.txt'] });
    expect(workspace.read('a.txt')).toBe('two\n');
    expect((await edits()).map(({ isUndone, canUndo }) => [isUndone, canUndo])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(await rejection(page.post('edits/redo', { project: root, id: first?.id }))).toContain('to redo any more');
    expect(await page.post('edits/redo', { project: root, id: latest?.id })).toEqual({ paths: ['a.txt'] });
    expect(workspace.read('a.txt')).toBe('three\n');
    await page.post('edits/undo', { project: root, id: latest?.id });
    workspace.write('a.txt', 'another program\n');
    expect(await rejection(page.post('edits/undo', { project: root, id: first?.id }))).toContain('has changed since');
    expect(workspace.read('a.txt')).toBe('another program\n');
  });

  test('writes, reads and deletes memories', async () => {
    const { root } = makeWorkspace({ 'a.txt': 'one\n' });
    await using client = await startWithDashboard(root);
    const page = await TestPage.open(await linkOf(client));
    const memory = { project: root, name: 'notes/first' };
    await page.post('memory/write', { ...memory, text: 'remember\n' });
    expect(await page.read('memories', { project: root })).toEqual(['notes/first']);
    expect(await client.ask('read_memory', { memory_name: 'notes/first' })).toContain('remember');
    expect(await page.read('memory', memory)).toEqual({ text: 'remember\n' });
    expect(await page.post('memory/delete', memory)).toEqual({ isDeleted: true });
    expect(await page.read('memories', { project: root })).toEqual([]);
  });

  test('shows where each setting comes from, without secrets', async () => {
    const { root } = makeWorkspace({ '.serena/project.yml': 'project_name: shop\nread_only: true\n' });
    await using client = await startWithDashboard(root, { auth_secret: 'hidden from others' });
    const page = await TestPage.open(await linkOf(client));
    const configuration = JSON.stringify(await page.read('configuration', { project: root }));
    expect(configuration).toContain('{"key":"read_only","value":true,"from":["project"],"canChange":false}');
    expect(configuration).not.toContain('hidden from others');
  });

  test('changes settings of the user and of a project, if they stay valid', async () => {
    await using workspace = makeWorkspace({ '.serena/project.yml': '# ours\nproject_name: shop\n' });
    const { root: project } = workspace;
    await using client = await startWithDashboard(project);
    const page = await TestPage.open(await linkOf(client));
    const change = { file: 'project', project, key: 'format_inserted_code', text: 'true' };
    expect(await page.post('configuration/set', change)).toEqual({ value: true });
    expect(workspace.read('.serena/project.yml')).toBe('# ours\nproject_name: shop\nformat_inserted_code: true\n');
    expect(await page.post('configuration/set', { ...change, file: 'local', text: 'false' })).toEqual({ value: false });
    expect(JSON.stringify(await page.read('configuration', { project }))).toContain(
      '{"key":"format_inserted_code","value":false,"from":["local"],"canChange":true}',
    );
    const user = { file: 'user', project: '', key: 'tool_timeout', text: '77' };
    expect(await page.post('configuration/set', user)).toEqual({ value: 77 });
    expect(await rejection(page.post('configuration/set', { ...user, text: 'soon' }))).toContain('must be a number');
    for (const key of ['tol_timeout', '__proto__', 'constructor', 'constructor.prototype.x', 'toString'])
      expect(await rejection(page.post('configuration/set', { ...user, key, text: '1' }))).toContain('422');
    const elsewhere = { ...change, project: makeWorkspace({ '.serena/project.yml': '' }).root };
    expect(await rejection(page.post('configuration/set', elsewhere))).toContain('not a known project');
    expect(JSON.stringify(await page.read('configuration'))).toContain('{"key":"tool_timeout","value":77,');
  });

  test('changes no setting that decides what may run, be reached or be written', async () => {
    await using workspace = makeWorkspace({ '.serena/project.yml': 'project_name: shop\n' });
    const { root: project } = workspace;
    await using client = await startWithDashboard(project);
    const page = await TestPage.open(await linkOf(client));
    const { settings } = Settings.parse(await page.read('configuration', { project }));
    const harmless = settings.filter(({ canChange }) => canChange).map(({ key }) => key);
    // A key that is not listed here needs a terminal.
    expect(harmless.sort()).toEqual([
      'activation_command_timeout',
      'default_max_tool_answer_chars',
      'encoding',
      'format_inserted_code',
      'line_ending',
      'log_level',
      'memory_budget_mb',
      'report_edit_diagnostics',
      'service_idle_minutes',
      'symbol_info_budget',
      'symbol_source',
      'tool_timeout',
      'trace_lsp_communication',
    ]);
    const keys = settings.map(({ key }) => key).filter((key) => !harmless.includes(key) && key !== 'active_modes');
    const dotted = ['ls_specific_settings.go.ls_path', 'custom_language_servers.x.command'];
    const refusals = [...keys, ...dotted].flatMap((key) =>
      ['user', 'project', 'local'].map(async (file) => {
        const change = { file, project, key, text: '[]' };
        return (await page.send('configuration/set', { method: 'POST', body: JSON.stringify(change) })).status;
      }),
    );
    expect(new Set(await Promise.all(refusals))).toEqual(new Set([422]));
    expect(workspace.read('.serena/project.yml')).toBe('project_name: shop\n');
  });

  test('installs, verifies and removes a language server', async () => {
    const { root } = makeWorkspace({ 'a.txt': 'one\n' });
    await using client = await startWithDashboard(root, { ls_specific_settings: {} });
    const page = await TestPage.open(await linkOf(client));
    const stateOf = async (id: string) => Servers.parse(await page.read('servers')).find((one) => one.id === id)?.state;
    expect(await stateOf('bash')).toBe('to be fetched');
    expect(await page.post('servers/install', { id: 'bash' })).toEqual({});
    expect(await stateOf('bash')).toBe('installed');
    expect(await page.post('servers/verify', {})).toEqual({ problems: [] });
    expect(await page.post('servers/remove', { id: 'bash' })).toEqual({ inUse: [] });
    expect(await stateOf('bash')).toBe('to be fetched');
    expect(await rejection(page.post('servers/install', { id: '../bash' }))).toContain('../bash');
  });

  test('is refused to agents unless the user enables it', async () => {
    const { root } = makeWorkspace({ 'a.txt': 'one\n' });
    const config = { web_dashboard: false, included_optional_tools: ['open_dashboard'] };
    await using client = await startWithDashboard(root, config);
    expect((await client.call('open_dashboard')).text).toContain('it is disabled');
  });

  serviceTest('of the service shows the sessions of all clients, and keeps the service', async () => {
    const [one, two] = [makeWorkspace({ 'a.txt': 'one\n' }), makeWorkspace({ 'b.txt': 'two\n' })];
    await using service = new TestService(makeHome({ ...noServers(), service_idle_minutes: 0 }));
    const clients = [
      await service.start({ args: ['--project', one.root] }),
      await service.start({ args: ['--project', two.root] }),
    ];
    for (const client of clients) await client.ask('list_dir', { relative_path: '.', recursive: false });
    const { code, stdout, stderr } = await runProgram(['dashboard', '--no-open'], { env: service.env });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Open this URL in a browser. It is valid once, for 5 minutes.\n',
    });
    const page = await TestPage.open(stdout.trim());
    await page.until('both sessions', ({ state }) => state?.sessions.length === 2);
    await page.until('the service without clients', async ({ state }) => {
      for (const client of clients.splice(0)) await client.close();
      return state?.sessions.length === 0;
    });
    expect(await service.untilProcesses(0)).toEqual([]);
  });
});
