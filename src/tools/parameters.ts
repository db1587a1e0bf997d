import { z } from 'zod';

/** Parameters that several tools share, with one wording. Lines are 0-based everywhere. */

/** The limit of an answer's length; -1 stands for the configured one. */
export const maxAnswerChars = z.int().default(-1).describe('Longest answer; -1: as configured.');

export const includeKinds = z
  .array(z.int())
  .default([])
  .describe('LSP kinds to keep (5 class, 6 method, 12 function …); empty: all.');

export const excludeKinds = z.array(z.int()).default([]).describe('LSP kinds to leave out.');

export const firstEditedLine = z.int().describe('First line to change, 0-based.');

export const lastEditedLine = z.int().describe('Last line to change, 0-based and included.');

/** A name that is picked out of a text. */
export const capturedName = z
  .string()
  .describe('Python regular expression (DOTALL and MULTILINE) with one group, around the name; it must match once.');
