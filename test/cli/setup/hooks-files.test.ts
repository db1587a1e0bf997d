import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { expectClearExit } from '../../support/clear.ts';
import { runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';

const setUp = (home: string, ...args: string[]) =>
  runProgram(['setup', ...args], { env: { HOME: home, PATH: '/usr/bin:/bin' } });

const files = [
  ['claude-code', '.claude/settings.json'],
  ['codebuddy', '.codebuddy/settings.json'],
  ['codex', '.codex/hooks.json'],
  ['grok', '.grok/hooks/serena-hooks.json'],
  ['vscode', '.copilot/hooks/serena-hooks.json'],
  ['gemini', '.gemini/settings.json'],
  ['qwen-code', '.qwen/settings.json'],
] as const;

const existing = `{
  // mine
  "model": "opus",
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "lint" }] } // keep this
    ],
    "Notification": []
  }
}
`;

test.each(files)('setup %s --hooks adds what `hooks show-config` prints, once', async (client, place) => {
  const home = makeTempDir();
  const file = join(home, place);
  const first = await setUp(home, client, '--hooks');
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
  expect(first.stdout).toContain(file);
  // Without the server the hooks would speak of tools that the agent does not have.
  expect(first.stdout).toContain(`run \`serena setup ${client}\``);
  const shown = await runProgram(['hooks', 'show-config', '--client', client]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(shown.stdout));
  expect(JSON.parse((await setUp(home, client, '--hooks', '--print')).stdout)).toEqual(JSON.parse(shown.stdout));
  expect((await setUp(home, client, '--hooks')).stdout).toStartWith(`Unchanged: \`${file}\`\n`);
  if (client === 'claude-code' || client === 'codebuddy') {
    writeFileSync(join(home, `.${client.split('-')[0]}.json`), '{"mcpServers": {"serena": {"command": "serena"}}}');
  } else {
    mkdirSync(join(home, client === 'vscode' ? '.config/Code/User' : dirname(place)), { recursive: true });
    if (client === 'grok') mkdirSync(join(home, '.grok'), { recursive: true });
    expect((await setUp(home, client)).code).toBe(0);
  }
  expect((await setUp(home, client, '--hooks')).stdout).toBe(`Unchanged: \`${file}\`\n`);
  if (client !== 'claude-code' && client !== 'codebuddy') expect((await setUp(home, client, '--remove')).code).toBe(0);
});

test.each(files)(
  'setup keeps the hooks of others for %s, and --remove gives back every byte',
  async (client, place) => {
    const home = makeTempDir();
    const file = join(home, place);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, existing);
    expect((await setUp(home, client, '--hooks')).code).toBe(0);
    const { hooks } = parse(readFileSync(file, 'utf8'));
    expect(hooks.PreToolUse[0].hooks).toEqual([{ type: 'command', command: 'lint' }]);
    expect(Object.values(hooks).flat().length).toBeGreaterThan(2);
    expect(readFileSync(file, 'utf8')).toContain('// keep this');
    expect((await setUp(home, client, '--remove')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(existing);
    expect(readdirSync(dirname(file))).toHaveLength(1);
  },
);

test('--remove removes the hooks, also those of a program at another path, from a file that was changed since', async () => {
  const home = makeTempDir();
  const file = join(home, '.codex/hooks.json');
  mkdirSync(dirname(file));
  const own = { type: 'command', command: "'/old path/serena' hooks remind --client=codex", timeout: 5 };
  const others = { type: 'command', command: 'lint' };
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [own] }, { hooks: [own, others] }, { hooks: [others] }] };
  writeFileSync(file, JSON.stringify({ hooks: { ...hooks, Stop: [{ hooks: [own] }] } }));
  expect((await setUp(home, 'codex', '--remove')).code).toBe(0);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ hooks: { PreToolUse: hooks.PreToolUse.slice(1) } });
});

test('setup --hooks --remind adds the hook that denies calls, setup --hooks drops it again', async () => {
  const home = makeTempDir();
  const file = join(home, '.claude/settings.json');
  mkdirSync(dirname(file));
  writeFileSync(file, existing);
  expect((await setUp(home, 'claude-code', '--hooks', '--remind')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain(' hooks remind ');
  expect((await setUp(home, 'claude-code', '--remove')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(existing);
  await setUp(home, 'claude-code', '--hooks', '--remind');
  await setUp(home, 'claude-code', '--hooks');
  expect(readFileSync(file, 'utf8')).not.toContain(' hooks remind ');
  expectClearExit(await setUp(home, 'claude-code', '--remind'), 2, '--hooks');
});

test.each([
  { order: 'hooks, entry', steps: [['--hooks'], []] },
  { order: 'entry, hooks', steps: [[], ['--hooks']] },
])(
  '--remove gives back every byte of a file with both entry and hooks, added in the order $order',
  async ({ steps }) => {
    const home = makeTempDir();
    const file = join(home, '.gemini/settings.json');
    mkdirSync(dirname(file));
    writeFileSync(file, existing);
    for (const flags of steps) expect((await setUp(home, 'gemini', ...flags)).code).toBe(0);
    expect((await setUp(home, 'gemini', '--remove')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(existing);
    expect(readdirSync(dirname(file))).toHaveLength(1);
  },
);

test('VS Code and GitHub Copilot CLI have the same hooks in the same file', async () => {
  const home = makeTempDir();
  const file = join(home, '.copilot/hooks/serena-hooks.json');
  expect((await setUp(home, 'vscode', '--hooks')).code).toBe(0);
  expect((await setUp(home, 'copilot-cli', '--hooks')).stdout).toStartWith(`Unchanged: \`${file}\`\n`);
  expect((await setUp(home, 'copilot-cli', '--remove')).code).toBe(0);
  expect(existsSync(file)).toBe(false);
});

test('a file with something else for hooks is not changed', async () => {
  const home = makeTempDir();
  const file = join(home, '.codex/hooks.json');
  mkdirSync(dirname(file));
  for (const text of ['{ "hooks": [] }', '{ "hooks": { "Stop": 5 } }', '[]', '{']) {
    writeFileSync(file, text);
    expectClearExit(await setUp(home, 'codex', '--hooks'), 78, file);
    expect([readFileSync(file, 'utf8'), readdirSync(dirname(file)).length]).toEqual([text, 1]);
  }
});

test('is wrong usage for a client without hooks', async () => {
  expectClearExit(await setUp(makeTempDir(), 'zed', '--hooks'), 2, '`zed`', 'claude-code');
});
