import { z } from 'zod';
import { editDataSchema, editOutput } from '../answers/finished-edits.ts';
import { checkParameter, definingPath, flag, uniqueNamePath } from '../parameters.ts';
import { defineTool, symbolEdit, type Tool } from '../tool.ts';

/** Returns a tool that edits the text at a symbol; `body` describes the parameter of this name. */
function symbolTextTool(
  edit: 'replaceBody' | 'insertAfter' | 'insertBefore',
  { name, description, body }: { readonly name: string; readonly description: string; readonly body: string },
): Tool {
  return defineTool({
    ...symbolEdit,
    isLocal: true,
    name,
    description,
    input: () => ({ name_path: uniqueNamePath, relative_path: definingPath, body: z.string().describe(body) }),
    aliases: { name_path_pattern: 'name_path' },
    async run({ symbols, edits }, { name_path: namePath, relative_path: relativePath, body: text }) {
      await symbols[edit](edits, { namePath, relativePath, text });
      return { value: 'OK' };
    },
  });
}

const insertedBody = 'Whole, indented lines; blank lines around them are added automatically.';

export const symbolTextTools = [
  symbolTextTool('replaceBody', {
    name: 'replace_symbol_body',
    description: "Replaces a symbol's whole definition, as find_symbol shows it with include_body; read that first.",
    body: 'New definition; first line unindented, later lines as in the file.',
  }),
  symbolTextTool('insertAfter', {
    name: 'insert_after_symbol',
    description: `Inserts code after a symbol's definition: another method or, after the last symbol, the end of a
file.`,
    body: insertedBody,
  }),
  symbolTextTool('insertBefore', {
    name: 'insert_before_symbol',
    description: `Inserts code before a symbol, its comments and decorators: another function or, before the first
symbol, an import.`,
    body: insertedBody,
  }),
];

export const safeDeleteSymbol = defineTool({
  ...symbolEdit,
  name: 'safe_delete_symbol',
  description: `Deletes a symbol's definition if nothing else references it. Otherwise returns the references.`,
  input: () => ({
    name_path_pattern: z.string().describe('Name path, such as Class/method.'),
    relative_path: z.string().describe('Defining file.'),
    ignore_unresolved: flag('Despite unresolved occurrences of the name.'),
    check: checkParameter(),
  }),
  data: editDataSchema,
  aliases: { name_path: 'name_path_pattern' },
  async run({ symbols, edits }, input) {
    symbols.checkEdits(input.check);
    const deleted = await symbols.safeDelete(edits, {
      namePath: input.name_path_pattern,
      relativePath: input.relative_path,
      ignoresUnresolved: input.ignore_unresolved,
    });
    return editOutput(deleted);
  },
});
