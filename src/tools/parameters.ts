import { z } from 'zod';
import { counted } from '../base/counted.ts';
import { ExpectedError } from '../base/errors.ts';
import { extensionIn } from '../base/paths.ts';
import type { TextMatch } from '../search/scan-protocol.ts';
import { editChecks } from '../symbols/edits/edit-problems.ts';
import type { ProjectContext } from './tool.ts';

/** Parameters shared by several tools. Lines are 0-based everywhere. */

/** A parameter that is false unless it is given. */
export function flag(description: string): z.ZodDefault<z.ZodBoolean> {
  return z.boolean().default(false).describe(description);
}

/** A text that may be absent. */
export function optionalText(description: string): z.ZodDefault<z.ZodNullable<z.ZodString>> {
  return z.string().nullable().default(null).describe(description);
}

export const uniqueNamePath = z.string().describe('Name path, such as Class/method.');

export const definingPath = z.string().describe('Defining file or directory; empty = all.');

/** Which files an edit over files checks for new problems. */
export function checkParameter(): z.ZodDefault<z.ZodEnum<{ none: 'none'; touched: 'touched'; all: 'all' }>> {
  return z.enum(editChecks).default('all').describe('Files to check for new problems (in edits over files).');
}

/** Limit of the length of an answer, in characters. */
export const maxAnswerChars = z.int().default(-1).describe('Limit (in all reading tools); -1 = configured.');

/** Limit of the length of an answer, and the page to show of an answer that exceeds it; see `answers/answer-text.ts`. */
export const pageParts = {
  max_answer_chars: maxAnswerChars,
  cursor: z.string().default('').describe('From a partial answer (in all reading tools).'),
};

/** Returns the schema of a parameter that takes one string or several. */
export function oneOrMore(): z.ZodUnion<[z.ZodString, z.ZodArray<z.ZodString>]> {
  return z.union([z.string(), z.array(z.string())]);
}

/** Returns the strings of such a parameter without repetitions. */
export function listOf(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : [...new Set(value)];
}

export const kindParts = {
  include_kinds: z.array(z.int()).default([]).describe('LSP symbol kinds (5 = class, 12 = function); empty = all.'),
  exclude_kinds: z.array(z.int()).default([]).describe('LSP symbol kinds to exclude.'),
};

/** Regex that selects a name in a file. */
export const capturedName = z
  .string()
  .describe('Python regex that matches once, with one group around the name, such as `order\\.(total)`.');

/** Parameter that limits how many matches a symbol search shows. */
export const maxMatches = z
  .int()
  .default(-1)
  .describe('Maximum number of matches; beyond it only name paths are returned. -1 = unlimited.');

/** @throws {ExpectedError} `tool.failed-assertion` if the limit is 0. */
export function requireUsableLimit(limit: number): void {
  if (limit !== 0) return;
  throw new ExpectedError('tool.failed-assertion', '`max_matches` is 0, so no match could be shown', {
    hints: ['pass a positive number, or -1 for no limit'],
  });
}

/**
 * Returns the offset (in UTF-16 code units) of the one group of `pattern` in `text`; the pattern must match once. `file`
 * is for messages.
 *
 * @throws {ExpectedError} `tool.invalid-input` for another number of matches or groups; `search.*`.
 */
export async function capturedOffset(
  { project, call }: ProjectContext,
  { file, pattern, text }: { file: string; pattern: string; text: string },
): Promise<number> {
  const matches = await project.scanner.matches({ pattern, multiline: true, text, path: file }, call.signal);
  const [match] = matches;
  if (!match || matches.length > 1) {
    throw badRegex(
      `\`regex\` has ${counted(matches.length, 'match', 'matches')} in \`${file}\`; it must have exactly one`,
      [match ? 'add text around the group, or narrow the scope' : 'check the regex with `search_for_pattern`'],
    );
  }
  return startOfGroup(match);
}

function startOfGroup({ groupStarts }: TextMatch): number {
  const count = groupStarts.length - 1;
  const start = groupStarts[1];
  if (count === 1 && start !== undefined) return start;
  const problem = count === 1 ? 'a group that did not match' : `${count} capturing groups`;
  throw badRegex(`\`regex\` has ${problem}; it must have exactly one, around the name`, [
    'write other groups as non-capturing groups: `(?:…)`',
  ]);
}

function badRegex(message: string, hints: string[]): ExpectedError {
  return new ExpectedError('tool.invalid-input', message, { hints });
}

/** Extensions of languages whose files usually contain a single class, so that its members are of interest. */
const oneClassPerFile = ['.java', '.kt'];

/** Returns the number of member levels in the overview of a file; -1 selects the default of its language. */
export function overviewDepth(path: string, requested: number): number {
  if (requested !== -1) return requested;
  return extensionIn(path, oneClassPerFile) !== undefined ? 1 : 0;
}
