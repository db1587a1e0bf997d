import { z } from 'zod';

/** Parameters shared by several tools. Lines are 0-based everywhere. */

/** Limit of the length of an answer, in characters. */
export const maxAnswerChars = z.int().default(-1).describe('Maximum answer length; -1 = configured.');

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
