import { Option } from 'commander';
import { z } from 'zod';
import { parseSymbol } from './address.ts';
import type { CodeCommand } from './code-command.ts';

export const rename: CodeCommand = {
  name: 'rename',
  description: 'Rename a symbol and all references to it, in all files or none',
  operands: [
    ['<symbol>', 'name path, or <file or directory>#<name path>'],
    ['<new-name>', 'new name, without a path'],
  ],
  options: [new Option('--force', 'rename even if the new name is already in scope')],
  examples: ['serena rename src/basket.ts#Basket/total sum'],
  request: ({ operands: [symbol = '', newName], flags, place }) => {
    const { path, namePath } = parseSymbol(symbol, place);
    return {
      tool: 'rename_symbol',
      args: { name_path: namePath, relative_path: path, new_name: newName, force: flags.force ?? false },
    };
  },
  render: editLines,
};

/** Returns the result of an edit; with `report_edit_diagnostics`, the problems that it caused follow as JSON. */
export function editLines(answer: unknown): readonly string[] {
  const { success, data } = z.object({ result: z.string() }).loose().safeParse(answer);
  if (!success) return z.string().parse(answer).split('\n');
  const { result, ...problems } = data;
  return [result, JSON.stringify(problems, undefined, 2)].flatMap((text) => text.split('\n'));
}
