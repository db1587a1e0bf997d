import { z } from 'zod';

/** Parameters that tools of this folder share. */

export const sourcePath = z
  .string()
  .describe('File relative to the project root, or `<ext:…>` as another answer gave it for a library.');

export const namePath = z.string().describe('Name path of the symbol, such as `Class/method`.');

/** For refactorings, which can be of a symbol or of what it is in. */
export const editedPathParameter = z.string().describe('File or folder in question, relative to the project root.');

export const optionalNamePath = z
  .string()
  .nullable()
  .default(null)
  .describe('Name path of the symbol in that file; null for the file or folder itself.');
