import { z } from 'zod';

/** Parameters of the tools that edit by symbol. */

export const uniqueNamePath = z.string().describe('Name path of one symbol, such as `Class/method`.');

export const definingPath = z.string().describe('File or directory that defines it; empty: all.');

export const insertedText = z.string().describe('Whole lines, indented; blank lines around them are seen to.');
