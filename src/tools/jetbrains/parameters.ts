import { z } from 'zod';

/** Parameters shared by the tools of this directory. */

export const sourcePath = z
  .string()
  .describe('File relative to the project root, or `<ext:…>` from another answer for a library file.');

export const namePath = z.string().describe('Name path, such as Class/method.');

/** Path for refactorings of a symbol, or of the file or directory itself. */
export const editedPathParameter = z.string().describe('File or directory to change, relative to the project root.');

export const optionalNamePath = z
  .string()
  .nullable()
  .default(null)
  .describe('Name path of the symbol in that file; null = the file or directory itself.');
