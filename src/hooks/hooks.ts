import { ExpectedError } from '../base/errors.ts';
import { mayApprove } from './approved-tools.ts';
import type { HookClient } from './hook-client.ts';
import { type HookInput, isObject, parseHookInput, required } from './hook-input.ts';
import { HookState } from './hook-state.ts';
import { nothingCounted, remind, reminders, retryHint } from './reminder.ts';
import { isSymbolic, kindOfCall } from './tool-call.ts';

/** Context of a hook. */
export interface HookScope {
  readonly client: HookClient;
  /** Absolute path of `SERENA_HOME`. */
  readonly home: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Returns the names of the tools that the client is offered from the start. */
  offeredTools(): Promise<ReadonlySet<string>>;
}

type HookAnswer = Readonly<Record<string, unknown>> | undefined;

/** A hook: takes the client's input from stdin and returns the JSON answer, if any. */
export type Hook = (text: string, scope: HookScope) => HookAnswer | Promise<HookAnswer>;

/** Text for the start of a session, by the tool that each sentence names. */
const firstSteps = {
  activate_project: 'If this directory is a coding project, activate it with `activate_project`, unless it is active.',
  initial_instructions: 'Before you use them, read their manual with `initial_instructions`.',
};

/** Names of the tools that change a project or its memories, or that run commands. */
const editingTools: readonly string[] = [
  ...[
    'apply_code_action',
    'apply_edits',
    'create_text_file',
    'delete_lines',
    'delete_memory',
    'edit_history',
    'edit_memory',
  ],
  ...['execute_shell_command', 'insert_after_symbol', 'insert_at_line', 'insert_before_symbol'],
  ...[
    'jet_brains_inline_symbol',
    'jet_brains_move',
    'jet_brains_rename',
    'jet_brains_safe_delete',
    'move_symbol',
    'onboarding',
  ],
  ...['rename_file', 'rename_memory', 'rename_symbol', 'replace_content', 'replace_in_files', 'replace_lines'],
  ...['replace_symbol_body', 'run_code', 'safe_delete_symbol', 'write_memory'],
];

/** Permission modes in which the user accepts edits without confirmation; Qwen Code documents the last and sends `auto-edit`. */
const approvingModes: readonly string[] = ['acceptEdits', 'auto', 'auto-edit', 'auto_edit'];

type HookName = 'activate' | 'cleanup' | 'remind' | 'reset' | 'auto-approve' | 'plan-context' | 'plan-guard';

const planning =
  'You are in plan mode: use Serena to read and to search, and change nothing with it until the plan is approved.';

/** The hooks by command name; see docs/compatibility.md, Hooks. Each throws `usage.invalid` for input it cannot use. */
export const hooks: Readonly<Record<HookName, Hook>> = {
  // Ignores its input, so that it works with any client.
  activate: async (_text, { client, offeredTools }) => {
    const offered = await offeredTools();
    const steps = Object.entries(firstSteps).flatMap(([tool, step]) => (offered.has(tool) ? [step] : []));
    if (steps.length === 0) return undefined;
    const additionalContext = ['Serena has tools that find, read and edit code by symbol.', ...steps].join(' ');
    return {
      // GitHub Copilot CLI, which runs the hooks of VS Code, reads the context here, and decisions below.
      ...(client === 'vscode' ? { additionalContext } : {}),
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext },
    };
  },

  cleanup: (text, { home }) => {
    new HookState(home, required(parseHookInput(text).sessionId, 'session_id')).remove();
    return undefined;
  },

  remind: (text, { client, home, nowMs }) => {
    const input = parseHookInput(text);
    const state = new HookState(home, required(input.sessionId, 'session_id'));
    const kind = kindOfCall(client, required(input.toolName, 'tool_name'), input.toolInput);
    const before = state.load();
    const { reason, state: after } = remind(before, kind, nowMs);
    if (after !== before) state.save(after);
    return reason === undefined ? undefined : decision(client, 'deny', `${reminders[reason]} ${retryHint}`);
  },

  // For clients that run `remind` on some tools only: without it, a Serena call would not reset the counts.
  reset: (text, { home }) => {
    const input = parseHookInput(text);
    const state = new HookState(home, required(input.sessionId, 'session_id'));
    const { toolResponse } = input;
    const hasSucceeded = isObject(toolResponse) && toolResponse.isError !== true;
    if (hasSucceeded && isSymbolic(required(input.toolName, 'tool_name'))) state.save(nothingCounted);
    return undefined;
  },

  'plan-context': (text, scope) => {
    if (!isPlanning(text, scope)) return undefined;
    return { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: planning } };
  },

  'plan-guard': (text, scope) => {
    if (!isPlanning(text, scope)) return undefined;
    const name = required(parseHookInput(text).toolName, 'tool_name');
    const isEdit = editingTools.some((tool) => name === `mcp__serena__${tool}`);
    return isEdit ? decision(scope.client, 'deny', planning) : undefined;
  },

  'auto-approve': (text, { client }) => {
    const input = parseHookInput(text);
    required(input.sessionId, 'session_id');
    // dsh has no such decision.
    if (client === 'dsh') return undefined;
    required(input.exactToolName, 'tool_name');
    const isApproved = mayApprove(client, input) && isApproving(input);
    return isApproved
      ? decision(client, 'allow', `Edits are accepted without asking (${input.permissionMode})`)
      : undefined;
  },
};

/** Only Codex has a plan mode that does not block tools of MCP servers itself. */
function isPlanning(text: string, { client }: HookScope): boolean {
  if (client === 'codex') return parseHookInput(text).permissionMode === 'plan';
  throw new ExpectedError('usage.invalid', 'this hook works with Codex only', { hints: ['pass `--client codex`'] });
}

function isApproving({ permissionMode }: HookInput): boolean {
  return permissionMode !== undefined && approvingModes.includes(permissionMode);
}

/** Returns a decision in the form that the client expects. */
function decision(client: HookClient, what: 'allow' | 'deny', reason: string): Readonly<Record<string, unknown>> {
  if (client === 'grok' || client === 'gemini') {
    return what === 'deny' ? { decision: what, reason } : { decision: what };
  }
  if (client === 'qwen-code' && what === 'allow') {
    return {
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: what, message: reason } },
    };
  }
  const output = { hookEventName: 'PreToolUse', permissionDecision: what, permissionDecisionReason: reason };
  const forModel = client === 'codex' || what === 'allow' ? {} : { additionalContext: reason };
  return { hookSpecificOutput: { ...output, ...forModel } };
}
