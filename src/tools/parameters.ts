import { z } from 'zod';

/** Parameters that several tools share, with one wording. Lines are 0-based everywhere. */

/** The limit of an answer's length; -1 stands for the configured one. */
export const maxAnswerChars = z
  .int()
  .default(-1)
  .describe('Longest answer in characters; a longer one is shortened. -1 means the configured limit.');

export const includeKinds = z
  .array(z.int())
  .default([])
  .describe('LSP symbol kinds to keep, such as 5 for classes, 6 for methods, 12 for functions. Empty keeps all.');

export const excludeKinds = z
  .array(z.int())
  .default([])
  .describe('LSP symbol kinds to leave out; wins over `include_kinds`.');

export const firstEditedLine = z.int().describe('First line to change, 0-based.');

export const lastEditedLine = z.int().describe('Last line to change, 0-based and included.');

/** A name that is picked out of a text. */
export const capturedName = z
  .string()
  .describe(
    'Python regular expression (DOTALL and MULTILINE) with exactly one capturing group, around the name; it must match exactly once.',
  );
