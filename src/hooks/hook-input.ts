import { ExpectedError, messageOf } from '../base/errors.ts';
import { isRecord } from '../base/own-value.ts';

/** Input that a client sends to a hook on stdin. Clients spell the keys in snake case or camel case. */
export interface HookInput {
  readonly sessionId: string | undefined;
  /** As the client writes it. */
  readonly exactToolName: string | undefined;
  /** In lower case. */
  readonly toolName: string | undefined;
  readonly toolInput: Readonly<Record<string, unknown>>;
  readonly permissionMode: string | undefined;
  /** Absolute path of the agent's working directory. */
  readonly directory: string | undefined;
  /** True if the agent continues because a hook at the end of its turn asked it to. */
  readonly isContinued: boolean;
  /** Result of the tool, for hooks that run after a call. */
  readonly toolResponse: unknown;
}

/**
 * Parses the input of a hook. Raw control characters are replaced by spaces, because some clients do not escape them.
 *
 * @throws {ExpectedError} `usage.invalid` if `text` is not a JSON object.
 */
export function parseHookInput(text: string): HookInput {
  const content = parseObject(text.replace('\uFEFF', ''));
  const id = content.session_id ?? content.sessionId;
  const toolInput = content.tool_input ?? content.toolInput;
  const exactToolName = textOf(content.tool_name ?? content.toolName);
  return {
    sessionId: typeof id === 'number' ? String(id) : textOf(id),
    exactToolName,
    toolName: exactToolName?.toLowerCase(),
    toolInput: isRecord(toolInput) ? toolInput : {},
    permissionMode: textOf(content.permission_mode ?? content.permissionMode),
    directory: textOf(content.cwd),
    isContinued: (content.stop_hook_active ?? content.stopHookActive) === true,
    toolResponse: content.tool_response ?? content.toolResponse,
  };
}

/**
 * Returns `value`, which a hook requires.
 *
 * @throws {ExpectedError} `usage.invalid` if it is missing; `key` names it in the message.
 */
export function required(value: string | undefined, key: string): string {
  if (value !== undefined) return value;
  throw new ExpectedError('usage.invalid', `the hook received no \`${key}\` on stdin`, {
    hints: ['configure the client to run this command as a hook; see `serena hooks show-config`'],
  });
}

function parseObject(text: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/\p{Cc}/gu, ' '));
  } catch (error) {
    throw new ExpectedError('usage.invalid', `the hook received invalid JSON on stdin: ${messageOf(error)}`);
  }
  if (isRecord(parsed)) return parsed;
  throw new ExpectedError('usage.invalid', 'the hook received JSON on stdin that is not an object');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
