import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { attempt } from '../base/attempt.ts';
import { ExpectedError } from '../base/errors.ts';
import { readTextIfExists, writeTextAtomically } from '../base/files.ts';
import { homePaths } from '../base/home.ts';
import { isRecord } from '../base/own-value.ts';
import { type FindFindings, type FindNames, findingsText } from './findings.ts';
import type { HookClient } from './hook-client.ts';
import { type HookInput, parseHookInput, required } from './hook-input.ts';
import { searchedNames } from './searched-names.ts';
import { type CallKind, editedFiles, isSymbolic, kindOfCall, searchPatterns } from './tool-call.ts';

interface HookScope {
  readonly client: HookClient;
  /** Absolute path of `SERENA_HOME`. */
  readonly home: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly findings: FindFindings;
  readonly names: FindNames;
  /** Returns the names of the tools that the client is offered from the start. */
  offeredTools(): Promise<ReadonlySet<string>>;
}

type HookAnswer = Readonly<Record<string, unknown>> | undefined;

/** A hook: takes the client's input from stdin and returns the JSON answer, if any. */
type Hook = (text: string, scope: HookScope) => HookAnswer | Promise<HookAnswer>;

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
    'change_signature',
    'create_text_file',
    'delete_lines',
    'delete_memory',
    'edit_history',
    'edit_memory',
  ],
  ...['execute_shell_command', 'format_code', 'insert_after_symbol', 'insert_at_line', 'insert_before_symbol'],
  ...[
    'jet_brains_inline_symbol',
    'jet_brains_move',
    'jet_brains_rename',
    'jet_brains_safe_delete',
    'move_symbol',
    'onboarding',
  ],
  ...['rename_file', 'rename_memory', 'rename_symbol', 'replace_content', 'replace_in_files', 'replace_lines'],
  ...['replace_symbol_body', 'rewrite_structure', 'run_code', 'safe_delete_symbol', 'write_memory'],
];

/** Permission modes in which the user accepts edits without confirmation; Qwen Code documents the last and sends `auto-edit`. */
const approvingModes: readonly string[] = ['acceptEdits', 'auto', 'auto-edit', 'auto_edit'];

type HookName =
  | 'facts'
  | 'verify'
  | 'activate'
  | 'cleanup'
  | 'remind'
  | 'reset'
  | 'auto-approve'
  | 'plan-context'
  | 'plan-guard';

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
    return contextFor(client, 'SessionStart', additionalContext);
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

  facts: (text, scope) => {
    const input = parseHookInput(text);
    const state = new HookState(scope.home, required(input.sessionId, 'session_id'));
    const additionalContext = factsOfSearch(input, state, scope) ?? factsOfEdit(input, state, scope);
    return additionalContext === undefined ? undefined : contextFor(scope.client, 'PostToolUse', additionalContext);
  },

  verify: (text, { client, home, findings }) => {
    const input = parseHookInput(text);
    const state = new HookState(home, required(input.sessionId, 'session_id'));
    if (input.directory === undefined || input.isContinued) return undefined;
    const found = findings({ directory: input.directory, limitSeconds: 20 });
    if (found === undefined || !found.hasErrors || !state.isNews('verify', found.lines)) return undefined;
    const heading = 'Before you end: the changes since the last commit break something. Repair it, or say why not.';
    const blocked = { decision: 'block', reason: findingsText(heading, found) };
    return client === 'vscode' ? { ...blocked, hookSpecificOutput: { hookEventName: 'Stop', ...blocked } } : blocked;
  },

  // For clients that run `remind` on some tools only: without it, a Serena call would not reset the counts.
  reset: (text, { home }) => {
    const input = parseHookInput(text);
    const state = new HookState(home, required(input.sessionId, 'session_id'));
    const { toolResponse } = input;
    const hasSucceeded = isRecord(toolResponse) && toolResponse.isError !== true;
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

/** Returns what is known of the symbols that a call has searched for by their names, once for each name. */
function factsOfSearch({ directory, toolName, toolInput }: HookInput, state: HookState, scope: HookScope) {
  if (directory === undefined || toolName === undefined) return undefined;
  const names = searchedNames(searchPatterns(scope.client, toolName, toolInput));
  const asked = names.filter((name) => !state.isTold(`name ${name}`));
  const found = asked.length === 0 ? [] : scope.names({ directory, names: asked });
  for (const { name } of found) state.isNews(`name ${name}`, []);
  const lines = found.flatMap((one) => one.lines);
  return lines.length === 0
    ? undefined
    : ['Serena knows which symbol each of these matches means:', ...lines].join('\n');
}

/** Returns what the changes of the files that a call has edited leave, unless the agent has read it. */
function factsOfEdit({ directory, toolName, toolInput }: HookInput, state: HookState, scope: HookScope) {
  if (directory === undefined || toolName === undefined) return undefined;
  const files = editedFiles(scope.client, toolName, toolInput);
  if (files === undefined) return undefined;
  // Without one file it is the whole project, if there is time.
  const file = files.length === 1 ? files[0] : undefined;
  const found = scope.findings({ directory, file, limitSeconds: 2 });
  if (found === undefined || found.lines.length === 0) return undefined;
  if (!state.isNews(`facts ${file ?? ''}`, found.lines)) return undefined;
  const what = file === undefined ? 'changes' : 'changes of this file';
  return findingsText(`Serena: since the last commit, ${what} leave`, found);
}

/** Only Codex has a plan mode that does not block tools of MCP servers itself. */
function isPlanning(text: string, { client }: HookScope): boolean {
  if (client === 'codex') return parseHookInput(text).permissionMode === 'plan';
  throw new ExpectedError('usage.invalid', 'this hook works with Codex only', { hints: ['pass `--client codex`'] });
}

function isApproving({ permissionMode }: HookInput): boolean {
  return permissionMode !== undefined && approvingModes.includes(permissionMode);
}

/** Returns context for the model in the form that the client expects. */
function contextFor(client: HookClient, hookEventName: string, additionalContext: string): HookAnswer {
  return {
    // GitHub Copilot CLI, which runs the hooks of VS Code, reads the context here, and decisions below.
    ...(client === 'vscode' ? { additionalContext } : {}),
    hookSpecificOutput: { hookEventName, additionalContext },
  };
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

/** State of the hooks for one session, stored in a directory below `home`, an absolute path. */
class HookState {
  readonly #directory: string;

  constructor(home: string, sessionId: string) {
    this.#directory = join(homePaths(home).hooks, directoryName(sessionId));
  }

  /** Returns the stored state, or the initial one if the file is missing or unreadable. */
  load(): ReminderState {
    return attempt(
      () => reminderState.parse(JSON.parse(readTextIfExists(this.#file) ?? '{}')),
      reminderState.parse({}),
    );
  }

  /** Stores `state`. If that fails, the agent continues without reminders. */
  save(state: ReminderState): void {
    try {
      this.#write(this.#file, `${JSON.stringify(state)}\n`);
    } catch {
      // A hook must not disturb the agent's work.
    }
  }

  /** True if lines differ from those of the last call about a topic, which are then remembered. */
  isNews(topic: string, lines: readonly string[]): boolean {
    const digest = createHash('sha256').update(lines.join('\n')).digest('hex');
    const file = this.#fileOf(topic);
    try {
      if (readTextIfExists(file)?.trim() === digest) return false;
      this.#write(file, `${digest}\n`);
    } catch {
      // A hook must not disturb the agent's work.
    }
    return true;
  }

  /** True if {@link isNews} was called about a topic. */
  isTold(topic: string): boolean {
    return existsSync(this.#fileOf(topic));
  }

  #fileOf(topic: string): string {
    return join(this.#directory, `told-${createHash('sha256').update(topic).digest('hex').slice(0, 16)}`);
  }

  /** The first write of a session removes those of sessions that ended without a hook, which some clients cannot run then. */
  #write(file: string, text: string): void {
    if (!existsSync(this.#directory)) removeOld(dirname(this.#directory));
    writeTextAtomically(file, text);
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  get #file(): string {
    return join(this.#directory, 'tool_use_counter.json');
  }
}

const maxAgeMs = 7 * 24 * 60 * 60 * 1000;

/** Removes the directories below `parent` that have not changed for a week. */
function removeOld(parent: string): void {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (statSync(path).mtimeMs < Date.now() - maxAgeMs) rmSync(path, { recursive: true, force: true });
  }
}

/** Returns a safe directory name: the id comes from a client and must not lead out of the directory. */
function directoryName(sessionId: string): string {
  const isName = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/.test(sessionId);
  return isName ? sessionId : createHash('sha256').update(sessionId).digest('hex');
}

const run = z.object({ count: z.int().min(0), last_ms: z.number() }).default({ count: 0, last_ms: 0 });

/** State of the reminder for one session, kept between calls; times are milliseconds since 1970. */
const reminderState = z.object({
  grep: run,
  read: run,
  /** Both together. */
  mixed: run,
  /** Until then the reminder neither counts nor denies calls. */
  silent_until_ms: z.number().default(0),
});

type ReminderState = z.infer<typeof reminderState>;

type Run = ReminderState['grep'];

/** Number of calls, without a symbolic call in between, that triggers the reminder; a pause of `pauseMs` ends the run. */
const limits = {
  grep: { count: 3, pauseMs: 1_000_000 },
  read: { count: 3, pauseMs: 1_000_000 },
  mixed: { count: 4, pauseMs: 2_000_000 },
} as const;

const silenceMs = 120_000;

/** Decision about a call: the reason to deny it, if any, and the new state. */
interface Reminder {
  readonly reason: 'grep' | 'read' | 'mixed' | undefined;
  readonly state: ReminderState;
}

/** Decides about a call of `kind` at `nowMs`; limits as in the reference product. */
export function remind(state: ReminderState, kind: CallKind, nowMs: number): Reminder {
  if (nowMs < state.silent_until_ms || kind === 'other') return { reason: undefined, state };
  if (kind === 'symbolic') return { reason: undefined, state: nothingCounted };
  const own = counted(state[kind], limits[kind].pauseMs, nowMs);
  const mixed = counted(state.mixed, limits.mixed.pauseMs, nowMs);
  const reason =
    own.count >= limits[kind].count ? kind : mixed.count >= limits.mixed.count ? ('mixed' as const) : undefined;
  if (reason !== undefined) return { reason, state: { ...nothingCounted, silent_until_ms: nowMs + silenceMs } };
  return { reason: undefined, state: { ...state, [kind]: own, mixed } };
}

/** State at the start of a session. */
const nothingCounted: ReminderState = reminderState.parse({});

function counted(run: Run, pauseMs: number, nowMs: number): Run {
  return { count: nowMs - run.last_ms > pauseMs ? 1 : run.count + 1, last_ms: nowMs };
}

/** Texts of the reminders, for the agent. */
const reminders: Readonly<Record<'grep' | 'read' | 'mixed', string>> = {
  grep:
    'You have searched source code several times in a row. Serena finds symbols and their references directly: ' +
    '`find_symbol`, `find_referencing_symbols`, `get_symbols_overview`.',
  read:
    'You have read several source files in a row. Serena shows what a file defines and the one body that you need: ' +
    '`get_symbols_overview`, then `find_symbol` with `include_body`.',
  mixed:
    'You have searched and read source code several times in a row. Serena answers by symbol, with less to read: ' +
    '`get_symbols_overview`, `find_symbol`, `find_referencing_symbols`.',
};

/** Follows every reminder, because the call may be the right one. */
const retryHint = 'The count has been reset: if you need exactly this call, repeat it now.';

/**
 * Names of the tools that `auto-approve` allows: those that read symbols, and those that edit files in ways that the user
 * could also accept in the client. Not here: what runs code or commands, what changes the project, the modes or the
 * dashboard, memories, and code actions, whose effect the language server decides.
 */
export const approvedTools: readonly string[] = [
  ...['find_symbol', 'find_referencing_symbols', 'find_implementations', 'find_declaration', 'get_symbols_overview'],
  ...['symbol_hierarchy', 'find_path', 'find_unused', 'search_structure', 'explore_symbol', 'changed_symbols'],
  'verify_changes',
  ...['list_dir', 'initial_instructions'],
  ...['replace_symbol_body', 'insert_after_symbol', 'insert_before_symbol', 'rename_symbol', 'rename_file'],
  ...[
    'move_symbol',
    'change_signature',
    'rewrite_structure',
    'format_code',
    'safe_delete_symbol',
    'create_text_file',
    'replace_content',
    'replace_in_files',
  ],
  ...['delete_lines', 'replace_lines', 'insert_at_line', 'apply_edits', 'edit_history'],
  ...['jet_brains_find_symbol', 'jet_brains_find_referencing_symbols', 'jet_brains_get_symbols_overview'],
  ...['jet_brains_type_hierarchy', 'jet_brains_find_declaration', 'jet_brains_find_implementations'],
  ...['jet_brains_rename', 'jet_brains_move', 'jet_brains_safe_delete', 'jet_brains_inline_symbol'],
];

/** True if a call is one of these tools of the server `serena`; the client gives the whole name. */
function mayApprove(client: HookClient, { exactToolName = '', toolInput }: HookInput): boolean {
  const prefix = client === 'grok' ? 'serena__' : 'mcp__serena__';
  if (!exactToolName.startsWith(prefix)) return false;
  const name = exactToolName.slice(prefix.length);
  if (!approvedTools.includes(name)) return false;
  return name !== 'apply_edits' || areApproved(toolInput.edits);
}

/** `apply_edits` makes the edits of other tools. */
function areApproved(edits: unknown): boolean {
  if (!Array.isArray(edits)) return false;
  return edits.every((edit) => isRecord(edit) && approvedTools.some((name) => name === edit.tool));
}
