import { z } from 'zod';

/** Parameters of the tools that edit by symbol. */

export const uniqueNamePath = z.string().describe('Name path, such as Class/method.');

export const definingPath = z.string().describe('Defining file or directory; empty = all.');

export const insertedText = z
  .string()
  .describe('Whole, indented lines; blank lines around them are added automatically.');
