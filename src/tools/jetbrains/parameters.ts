import { z } from 'zod';

/** Parameters that tools of this directory share. */

export const sourcePath = z
  .string()
  .describe('File relative to the project root, or `<ext:…>` as another answer gave it for a library.');

export const namePath = z.string().describe('Name path of the symbol, such as `Class/method`.');

/** For refactorings, which can be of a symbol or of what it is in. */
export const editedPathParameter = z.string().describe('File or directory in question, relative to the project root.');

export const optionalNamePath = z
  .string()
  .nullable()
  .default(null)
  .describe('Name path of the symbol in that file; null for the file or directory itself.');
