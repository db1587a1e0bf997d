import { z } from 'zod';
import { describeIssue, describeType } from '../base/describe-issue.ts';
import { ExpectedError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { ownValue } from '../base/own-value.ts';
import type { Tool } from './tool.ts';

/** Prefix that some clients add to tool names. */
const clientPrefix = 'mcp__serena__';

/** Tool names of older versions and related programs, and the current names (see docs/compatibility.md, Tool names). */
const olderNames: Readonly<Record<string, string>> = {
  write_file: 'create_text_file',
  run_shell_command: 'execute_shell_command',
  find_defining_symbol: 'find_declaration',
  safe_delete: 'safe_delete_symbol',
  jet_brains_inline: 'jet_brains_inline_symbol',
};

/** Returns the current tool name for `name`, as clients and configurations write it; returns unknown names unchanged. */
export function canonicalToolName(name: string): string {
  const bare = name.startsWith(clientPrefix) ? name.slice(clientPrefix.length) : name;
  const spelt = bare.replace(/^(?:jetbrains|jb)_/, 'jet_brains_');
  return ownValue(olderNames, spelt) ?? spelt;
}

/** Decodes `&lt;` and `&gt;`: some clients escape arguments that look like tags. */
export function withoutEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
}

const truths: ReadonlyMap<unknown, boolean> = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
]);

/**
 * Returns the arguments that a client sent in the form that the tool expects: aliases of parameters are resolved, `null`
 * for an optional parameter counts as absent, and strings are converted to numbers, booleans and lists, because models send
 * them so (see docs/compatibility.md, Arguments). Unknown arguments are ignored.
 *
 * @throws {ExpectedError} `tool.invalid-input` naming each wrong parameter, its type, and the nearest known name.
 */
export function readArguments(tool: Tool, sent: unknown): Record<string, unknown> {
  const given = withoutAliases(tool, asRecord(tool, sent));
  const read: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(tool.input.shape)) {
    const value = given[name];
    const isOmitted =
      value === undefined || (value === null && !acceptsNull(type) && type.safeParse(undefined).success);
    if (!isOmitted) read[name] = coerced(value, baseType(type));
  }
  const checked = tool.input.safeParse(read, { error: describeIssue });
  if (checked.success) return checked.data;
  const problems = checked.error.issues.map((issue) => `\`${issue.path.join('.')}\`: ${reasonOf(issue, read)}`);
  throw new ExpectedError('tool.invalid-input', `wrong arguments: ${problems.join('; ')}`, {
    hints: hintsFor(tool, given),
  });
}

/** Returns the type without its default and without `null`. */
function baseType(type: z.core.$ZodType): z.core.$ZodType {
  if (type instanceof z.ZodDefault || type instanceof z.ZodOptional || type instanceof z.ZodNullable) {
    return baseType(type.unwrap());
  }
  return type;
}

function acceptsNull(type: z.core.$ZodType): boolean {
  if (type instanceof z.ZodNullable) return true;
  return (type instanceof z.ZodDefault || type instanceof z.ZodOptional) && acceptsNull(type.unwrap());
}

function asRecord(tool: Tool, sent: unknown): Record<string, unknown> {
  if (sent === undefined || sent === null) return {};
  if (typeof sent === 'object' && !Array.isArray(sent)) return { ...sent };
  throw new ExpectedError('tool.invalid-input', 'the arguments must be one JSON object', { hints: hintsFor(tool, {}) });
}

function withoutAliases(tool: Tool, given: Record<string, unknown>): Record<string, unknown> {
  const renamed = { ...given };
  for (const [alias, target] of Object.entries(tool.aliases)) {
    const { name, implies } = typeof target === 'string' ? { name: target, implies: {} } : target;
    if (alias in renamed && !(name in renamed))
      Object.assign(renamed, { ...implies, ...renamed, [name]: renamed[alias] });
    if (!(alias in tool.input.shape)) delete renamed[alias];
  }
  return renamed;
}

function coerced(value: unknown, type: z.core.$ZodType): unknown {
  if (type instanceof z.ZodString || type instanceof z.ZodEnum) return value;
  const data = typeof value === 'string' ? structured(value) : value;
  // One string or several: a text is a list only if it is one as JSON.
  if (type instanceof z.ZodUnion) return Array.isArray(data) ? data : value;
  if (type instanceof z.ZodArray) {
    return Array.isArray(data) ? data.map((item: unknown) => coerced(item, type.element)) : data;
  }
  if (type instanceof z.ZodBoolean) {
    const word = typeof data === 'number' ? String(data) : data;
    return truths.get(typeof word === 'string' ? word.toLowerCase() : word) ?? data;
  }
  const isNumericText = typeof data === 'string' && data.trim() !== '' && !Number.isNaN(Number(data));
  if (isNumericText || typeof data === 'boolean') return Number(data);
  return data;
}

/** Returns the list, object or null that `text` is as JSON, otherwise `text` itself. */
function structured(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' ? parsed : text;
  } catch {
    return text;
  }
}

/** For longer values, messages show only the type. */
const maxShownChars = 60;

function reasonOf({ message, path }: z.core.$ZodIssue, given: Record<string, unknown>): string {
  if (!message.startsWith('must ')) return message;
  const value = path.reduce<unknown>((part, key) => Object(part)[key], given);
  const shown = JSON.stringify(value) ?? '';
  return `${message}, not ${shown.length > maxShownChars ? describeType(value) : shown}`;
}

function hintsFor(tool: Tool, given: Record<string, unknown>): string[] {
  const names = Object.keys(tool.input.shape);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  const suggestions = unknown.map((name) => {
    const meant = nearest(name, names);
    return `\`${name}\` is not a parameter of \`${tool.name}\`${meant === undefined ? '' : `; did you mean \`${meant}\``}`;
  });
  return [...suggestions, `\`${tool.name}\` takes: ${names.length === 0 ? 'nothing' : names.join(', ')}`];
}
