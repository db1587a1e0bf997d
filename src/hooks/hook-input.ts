import { ExpectedError, messageOf } from '../base/errors.ts';

/** What a client tells a hook on stdin; clients spell the same keys in two ways. */
export interface HookInput {
  readonly sessionId: string | undefined;
  /** In lower case. */
  readonly toolName: string | undefined;
  readonly toolInput: Readonly<Record<string, unknown>>;
  readonly permissionMode: string | undefined;
  /** What the tool answered, after a call. */
  readonly toolResponse: unknown;
}

/**
 * Returns what `text` tells. Raw control characters in it are taken for blanks: some clients do not escape them.
 *
 * @throws {ExpectedError} `usage.invalid` for a text that is no JSON object.
 */
export function parseHookInput(text: string): HookInput {
  const content = parseObject(text.replace('\uFEFF', ''));
  const id = content.session_id ?? content.sessionId;
  const toolInput = content.tool_input ?? content.toolInput;
  return {
    sessionId: typeof id === 'number' ? String(id) : textOf(id),
    toolName: textOf(content.tool_name ?? content.toolName)?.toLowerCase(),
    toolInput: isObject(toolInput) ? toolInput : {},
    permissionMode: textOf(content.permission_mode ?? content.permissionMode),
    toolResponse: content.tool_response ?? content.toolResponse,
  };
}

/**
 * Returns a value that a hook cannot do without.
 *
 * @throws {ExpectedError} `usage.invalid` when it is missing; `key` names it.
 */
export function required(value: string | undefined, key: string): string {
  if (value !== undefined) return value;
  throw new ExpectedError('usage.invalid', `The hook was told no \`${key}\` on stdin`, {
    hints: ['Let the client run this command as a hook; see `serena hooks show-config`'],
  });
}

function parseObject(text: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/\p{Cc}/gu, ' '));
  } catch (error) {
    throw new ExpectedError('usage.invalid', `The hook was told no JSON on stdin: ${messageOf(error)}`);
  }
  if (isObject(parsed)) return parsed;
  throw new ExpectedError('usage.invalid', 'The hook was told no JSON object on stdin');
}

/** True if a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
