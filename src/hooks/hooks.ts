import type { HookClient } from './hook-client.ts';
import { type HookInput, parseHookInput, required } from './hook-input.ts';
import { HookState } from './hook-state.ts';
import { mayGoOn, remind, reminders } from './reminder.ts';
import { isSymbolic, kindOfCall } from './tool-call.ts';

/** What a hook works with. */
export interface HookScope {
  readonly client: HookClient;
  /** Absolute path of our home folder. */
  readonly home: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** A hook: takes what the client wrote to its stdin, returns what to answer, if anything. */
export type Hook = (text: string, scope: HookScope) => Readonly<Record<string, unknown>> | undefined;

const activation =
  'If this folder is a coding project, activate it with the Serena tool `activate_project` (unless it is active already) ' +
  'and read the manual with `initial_instructions` before you do anything else.';

/** Modes in which the user has said that edits need no question. */
const approvingModes: readonly string[] = ['acceptEdits', 'auto'];

/** The hooks by the names of their commands (`spec/system.md` §10). Each throws `usage.invalid` for what it cannot use. */
export const hooks: Readonly<Record<'activate' | 'cleanup' | 'remind' | 'auto-approve', Hook>> = {
  // Needs nothing of what it is told, so that a client that tells it otherwise is served as well.
  activate: () => ({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: activation } }),

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
    return reason === undefined ? undefined : decision(client, 'deny', `${reminders[reason]} ${mayGoOn}`);
  },

  'auto-approve': (text, { client }) => {
    const input = parseHookInput(text);
    required(input.sessionId, 'session_id');
    const isWanted = isSymbolic(required(input.toolName, 'tool_name')) && isApproving(input);
    return isWanted
      ? decision(client, 'allow', `Edits are accepted without asking (${input.permissionMode})`)
      : undefined;
  },
};

function isApproving({ permissionMode }: HookInput): boolean {
  return permissionMode !== undefined && approvingModes.includes(permissionMode);
}

/** Clients take the same decision in three forms. */
function decision(client: HookClient, what: 'allow' | 'deny', reason: string): Readonly<Record<string, unknown>> {
  if (client === 'grok') return what === 'deny' ? { decision: what, reason } : { decision: what };
  const output = { hookEventName: 'PreToolUse', permissionDecision: what, permissionDecisionReason: reason };
  const forModel = client === 'codex' || what === 'allow' ? {} : { additionalContext: reason };
  return { hookSpecificOutput: { ...output, ...forModel } };
}
