import { z } from 'zod';
import { namePathOf } from '../../symbols/model/name-path.ts';
import { labelled } from '../answers/shortening.ts';
import { definingPath, flag, uniqueNamePath } from '../parameters.ts';
import { defineTool, symbolEdit } from '../tool.ts';

const textEdit = { ...symbolEdit, isLocal: true } as const;

const symbolParts = () => ({ name_path: uniqueNamePath, relative_path: definingPath });

const insertionParts = () => ({
  ...symbolParts(),
  body: z.string().describe('Whole, indented lines; blank lines around them are added automatically.'),
});

interface SymbolText {
  readonly name_path: string;
  readonly relative_path: string;
  readonly body: string;
}

function targetOf({ name_path: namePath, relative_path: relativePath, body: text }: SymbolText) {
  return { namePath, relativePath, text };
}

const replaceSymbolBody = defineTool({
  ...textEdit,
  name: 'replace_symbol_body',
  description: "Replaces a symbol's whole definition, as find_symbol shows it with include_body; read that first.",
  input: () => ({
    ...symbolParts(),
    body: z.string().describe('New definition; first line unindented, later lines as in the file.'),
  }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, edits }, input) {
    await symbols.replaceBody(edits, targetOf(input));
    return { value: 'OK' };
  },
});

const insertAfterSymbol = defineTool({
  ...textEdit,
  name: 'insert_after_symbol',
  description: `Inserts code after a symbol's definition: another method or, after the last symbol, the end of a
file.`,
  input: insertionParts,
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, edits }, input) {
    await symbols.insertAfter(edits, targetOf(input));
    return { value: 'OK' };
  },
});

const insertBeforeSymbol = defineTool({
  ...textEdit,
  name: 'insert_before_symbol',
  description: `Inserts code before a symbol, its comments and decorators: another function or, before the first
symbol, an import.`,
  input: insertionParts,
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, edits }, input) {
    await symbols.insertBefore(edits, targetOf(input));
    return { value: 'OK' };
  },
});

export const symbolTextTools = [replaceSymbolBody, insertAfterSymbol, insertBeforeSymbol];

export const safeDeleteSymbol = defineTool({
  ...symbolEdit,
  name: 'safe_delete_symbol',
  description: `Deletes a symbol's definition if nothing else references it. Otherwise changes nothing and returns the
0-based referencing lines by file.`,
  input: () => ({
    name_path_pattern: z.string().describe('Name path, such as Class/method.'),
    relative_path: z.string().describe('File that defines the symbol.'),
    ignore_unresolved: flag('Delete despite unresolved occurrences of the name.'),
  }),
  aliases: { name_path: 'name_path_pattern' },
  async run({ symbols, edits }, input) {
    const { symbol, uses, notes } = await symbols.safeDelete(edits, {
      namePath: input.name_path_pattern,
      relativePath: input.relative_path,
      ignoresUnresolved: input.ignore_unresolved,
    });
    if (Object.keys(uses).length === 0) return { value: 'OK', notes };
    return { value: labelled(`Cannot delete \`${namePathOf(symbol)}\`: these lines reference it`, uses) };
  },
});
