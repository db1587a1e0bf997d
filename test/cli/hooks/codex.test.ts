import { describe, expect, test } from 'bun:test';
import { tools } from '../../../src/tools/tools.ts';
import { denial, HookSession } from '../../support/hook-session.ts';

describe('hooks reset', () => {
  const search: readonly [string, unknown] = ['Bash', { command: 'rg x' }];
  const found = { tool_response: { content: [], isError: false } };

  test('resets the counts after a successful call, for a client that runs `remind` on its shell only', async () => {
    const session = new HookSession('codex');
    expect(await session.firstRefused([search, search])).toBe(0);
    expect(await session.answer('reset', 'mcp__serena__find_symbol', {}, found)).toBe('');
    expect(await session.firstRefused([search, search, search])).toBe(3);
  });

  test.each([
    ['failed', 'mcp__serena__find_symbol', { tool_response: { isError: true } }],
    ['has no result', 'mcp__serena__find_symbol', {}],
    ['has another kind of result', 'mcp__serena__find_symbol', { tool_response: 'text' }],
    ['is of another server', 'mcp__other__find_symbol', found],
    ['is no symbol tool', 'mcp__serena__read_memory', found],
  ])('leaves the count where the call %s', async (_name, tool, more) => {
    const session = new HookSession('codex');
    expect(await session.firstRefused([search, search])).toBe(0);
    expect(await session.answer('reset', tool, {}, more)).toBe('');
    expect(await session.firstRefused([search])).toBe(1);
  });
});

describe('hooks for the plan mode of Codex', () => {
  const plan = { permission_mode: 'plan' };

  test('deny tools that make changes, and no others', async () => {
    const session = new HookSession('codex');
    for (const { name, effect } of tools) {
      const answer = await session.answer('plan-guard', `mcp__serena__${name}`, {}, plan);
      if (effect === 'edits') expect(answer).toEqual(denial('codex', expect.stringContaining('plan mode')));
      else expect([name, answer]).toEqual([name, '']);
    }
    expect(await session.answer('plan-guard', 'mcp__serena__rename_symbol')).toBe('');
    expect(await session.answer('plan-guard', 'mcp__other__rename_symbol', {}, plan)).toBe('');
  });

  test('remind the agent at each prompt', async () => {
    const session = new HookSession('codex');
    const { stdout } = await session.run('plan-context', JSON.stringify({ session_id: 's-1', ...plan }));
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'UserPromptSubmit',
        additionalContext: expect.stringContaining('plan mode'),
      },
    });
    expect((await session.run('plan-context', '{"session_id":"s-1"}')).stdout).toBe('');
  });

  test.each(['plan-guard', 'plan-context'])('%s is refused for other clients', async (hook) => {
    const { code: exit, stderr } = await new HookSession('claude-code').run(hook, JSON.stringify(plan));
    expect([exit, stderr]).toEqual([1, expect.stringContaining('--client codex')]);
  });
});

test('hooks auto-approve stays silent for dsh', async () => {
  const accepting = { permission_mode: 'acceptEdits' };
  expect(await new HookSession('dsh').answer('auto-approve', 'mcp__serena__rename_symbol', {}, accepting)).toBe('');
  expect(await new HookSession('zcode').answer('auto-approve', 'mcp__serena__rename_symbol', {}, accepting)).not.toBe(
    '',
  );
});
