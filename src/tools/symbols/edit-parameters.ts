import { z } from 'zod';

/** Parameters of the tools that edit by symbol. */

export const uniqueNamePath = z
  .string()
  .describe('Name path of the symbol, such as `Class/method`; must mean one symbol only.');

export const definingPath = z
  .string()
  .describe('File that defines the symbol, or a folder to look for it in; empty for all.');

export const insertedText = z
  .string()
  .describe('Whole lines to insert, with their indentation; empty lines around the symbol are seen to.');
