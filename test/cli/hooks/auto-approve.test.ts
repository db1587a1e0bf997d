import { describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { approvedTools } from '../../../src/hooks/hooks.ts';
import { tools } from '../../../src/tools/tools.ts';
import { HookSession } from '../../support/hook-session.ts';
import { runProgram } from '../../support/program.ts';

const Configured = z.object({ hooks: z.record(z.string(), z.array(z.looseObject({ matcher: z.string() }))) });

describe('hooks auto-approve', () => {
  test.each<[string, string | undefined, boolean]>([
    ['mcp__serena__find_symbol', 'acceptEdits', true],
    ['mcp__serena__replace_symbol_body', 'auto', true],
    ['mcp__serena__rename_symbol', 'acceptEdits', true],
    ['mcp__serena__find_symbol', 'default', false],
    ['mcp__serena__find_symbol', 'bypassPermissions', false],
    ['mcp__serena__find_symbol', 'AUTO', false],
    ['mcp__serena__find_symbol', undefined, false],
    ['mcp__serena__execute_shell_command', 'acceptEdits', false],
    ['mcp__serena__search_for_pattern', 'acceptEdits', false],
    ['mcp__serena__read_file', 'acceptEdits', false],
    ['mcp__serena__write_memory', 'acceptEdits', false],
    ['mcp__serena__get_diagnostics_for_file', 'acceptEdits', false],
    ['mcp__serena__restart_language_server', 'acceptEdits', false],
    ['mcp__serena__jet_brains_debug', 'acceptEdits', false],
    ['mcp__serena__run_code', 'acceptEdits', false],
    ['mcp__serena__apply_code_action', 'acceptEdits', false],
    ['mcp__serena__activate_project', 'acceptEdits', false],
    ['mcp__serena__remove_project', 'acceptEdits', false],
    ['mcp__serena__switch_modes', 'acceptEdits', false],
    ['mcp__other__find_symbol', 'acceptEdits', false],
    ['mcp__Serena__find_symbol', 'acceptEdits', false],
    ['mcp__serena_evil__find_symbol', 'acceptEdits', false],
    ['mcp__notserena__find_symbol', 'acceptEdits', false],
    ['mcp__evil__serena__find_symbol', 'acceptEdits', false],
    ['mcp__evil__mcp__serena__find_symbol', 'acceptEdits', false],
    ['mcp__serena__find_symbol_', 'acceptEdits', false],
    ['serena__find_symbol', 'acceptEdits', false],
    ['Bash_serena', 'acceptEdits', false],
    ['Edit', 'acceptEdits', false],
  ])('%s in the mode %s: %p', async (tool, mode, isApproved) => {
    const answer = await new HookSession().answer('auto-approve', tool, {}, { permission_mode: mode });
    const output = {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      permissionDecisionReason: expect.any(String),
    };
    expect(answer).toEqual(isApproved ? { hookSpecificOutput: output } : '');
  });

  test.each<[readonly unknown[] | string, boolean]>([
    [[{ tool: 'rename_symbol', arguments: {} }, { tool: 'replace_content' }], true],
    [[{ tool: 'rename_symbol', arguments: {} }, { tool: 'apply_code_action' }], false],
    [[{ tool: ['rename_symbol'] }], false],
    ['[{"tool":"apply_code_action"}]', false],
  ])('allows a list of edits if it allows each: %j', async (edits, isApproved) => {
    const accepting = { permission_mode: 'acceptEdits' };
    const answer = await new HookSession().answer('auto-approve', 'mcp__serena__apply_edits', { edits }, accepting);
    expect(answer !== '').toBe(isApproved);
  });

  test('allows tools of this program only', () => {
    const names = tools.map(({ name }) => name);
    expect(approvedTools.filter((name) => !names.includes(name))).toEqual([]);
    const running = tools.filter(({ effect, reachesOutside }) => effect === 'runs' || reachesOutside);
    for (const { name } of running) expect(approvedTools).not.toContain(name);
  });

  test.each(['claude-code', 'codebuddy', 'zcode', 'qwen-code', 'grok'] as const)(
    'runs in %s for the tools of this server',
    async (client) => {
      const { stdout } = await runProgram(['hooks', 'show-config', '--client', client]);
      const { hooks } = Configured.parse(JSON.parse(stdout));
      const matchers = Object.values(hooks)
        .flat()
        .filter((group) => JSON.stringify(group).includes('auto-approve'))
        .map(({ matcher }) => new RegExp(matcher));
      const prefix = client === 'grok' ? '' : 'mcp__';
      const isRun = (name: string) => matchers.map((matcher) => matcher.test(`${prefix}${name}`));
      expect(isRun('serena__find_symbol')).toEqual([true]);
      for (const name of ['serena_evil__rm', 'notserena__exec', 'evil__serena__x'])
        expect(isRun(name)).toEqual([false]);
    },
  );

  test('answers Grok in its own form', async () => {
    const answer = await new HookSession('grok').answer(
      'auto-approve',
      'serena__find_symbol',
      {},
      { permissionMode: 'auto' },
    );
    expect(answer).toEqual({ decision: 'allow' });
  });
});
