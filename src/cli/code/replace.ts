import { resolve } from 'node:path';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { parseSymbol } from './address.ts';
import type { CodeCommand, Given } from './code-command.ts';
import { editLines } from './rename.ts';

export const replace: CodeCommand = {
  name: 'replace',
  description: 'Replace the definition of a symbol, as `find --body` prints it, with text from stdin or a file',
  operands: [
    ['<symbol>', 'name path, or <file or directory>#<name path>'],
    ['[text-file]', 'file with the new definition, relative to the working directory; - or nothing reads stdin'],
  ],
  examples: [
    'serena replace src/basket.ts#Basket/total new-total.txt',
    "serena find Basket/total --body --no-header | sed 's/0/1/' | serena replace Basket/total",
  ],
  request: async (given) => {
    const { path, namePath } = parseSymbol(given.operands[0] ?? '', given.place);
    return {
      tool: 'replace_symbol_body',
      args: { name_path: namePath, relative_path: path, body: (await readText(given)).replace(/\r?\n$/, '') },
    };
  },
  render: editLines,
};

async function readText({ operands: [, file = '-'], place, read }: Given): Promise<string> {
  if (file === '-') return await read(file);
  try {
    return await read(resolve(place.cwd, file));
  } catch (error) {
    throw new ExpectedError('file.unreadable', `\`${file}\` cannot be read: ${messageOf(error)}`);
  }
}
