import { expect } from 'bun:test';
import { join } from 'node:path';
import { type Ended, type ProgramOptions, runProgram } from './program.ts';
import { makeTempDir } from './temp.ts';

/** The clients that `--client` accepts. */
export const hookClients = [
  'claude-code',
  'codebuddy',
  'vscode',
  'codex',
  'grok',
  'gemini',
  'qwen-code',
  'zcode',
  'dsh',
] as const;
export type HookClient = (typeof hookClients)[number];

/** The hooks of one session of one client. */
export class HookSession {
  readonly home = makeTempDir('hook-home');
  readonly client: HookClient;

  constructor(client: HookClient = 'claude-code') {
    this.client = client;
  }

  get state(): string {
    return join(this.home, 'hook_data/s-1/tool_use_counter.json');
  }

  run(hook: string, input: string, { cwd, env }: Pick<ProgramOptions, 'cwd' | 'env'> = {}): Promise<Ended> {
    const args = ['hooks', hook, `--client=${this.client}`];
    return runProgram(args, { input, ...(cwd && { cwd }), env: { SERENA_HOME: this.home, ...env } });
  }

  /** Runs a hook for a tool call and returns its parsed output, or `''` if it prints nothing. */
  async answer(hook: string, tool: string, input: unknown = {}, more: Readonly<Record<string, unknown>> = {}) {
    // Grok writes its keys in camelCase.
    const event =
      this.client === 'grok'
        ? { sessionId: 's-1', toolName: tool, toolInput: input, ...more }
        : { session_id: 's-1', tool_name: tool, tool_input: input, ...more };
    const { code, stdout, stderr } = await this.run(hook, JSON.stringify(event));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout === '' ? '' : JSON.parse(stdout);
  }

  /** Reports calls to the hook `remind`; returns the 1-based number of the first that it refuses, or 0. */
  async firstRefused(calls: readonly (readonly [tool: string, input?: unknown])[]): Promise<number> {
    for (const [index, [tool, input]] of calls.entries()) {
      if ((await this.answer('remind', tool, input)) !== '') return index + 1;
    }
    return 0;
  }
}

/** Returns the hook output by which a client refuses a tool call. */
export function denial(client: HookClient, reason: unknown): unknown {
  if (client === 'grok' || client === 'gemini') return { decision: 'deny', reason };
  const output = { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason };
  return { hookSpecificOutput: client === 'codex' ? output : { ...output, additionalContext: reason } };
}
