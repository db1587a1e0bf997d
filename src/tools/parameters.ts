import { z } from 'zod';

/** Parameters shared by several tools. Lines are 0-based everywhere. */

/** Limit of the length of an answer, in characters. */
export const maxAnswerChars = z.int().default(-1).describe('Limit (in all reading tools); -1 = configured.');

/** Limit of the length of an answer, and the page to show of an answer that exceeds it; see `answers/pages.ts`. */
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

export const includeKinds = z
  .array(z.int())
  .default([])
  .describe('LSP symbol kinds (5 = class, 12 = function); empty = all.');

export const excludeKinds = z.array(z.int()).default([]).describe('LSP symbol kinds to exclude.');

export const firstEditedLine = z.int().describe('First line to change, 0-based.');

export const lastEditedLine = z.int().describe('Last line to change, 0-based, inclusive.');

/** Regex that selects a name in a file. */
export const capturedName = z
  .string()
  .describe('Python regex that matches once, with one group around the name, such as `order\\.(total)`.');
