import { Option } from 'commander';
import { parseSymbol } from './address.ts';
import type { CodeCommand } from './code-command.ts';
import { symbolLines } from './symbol-lines.ts';

export const implementations: CodeCommand = {
  name: 'implementations',
  description: 'Find the implementations of an interface, an abstract class or one of its methods',
  operands: [['<symbol>', 'name path, or <file or directory>#<name path>']],
  options: [new Option('--info', 'print signature and documentation')],
  examples: ['serena implementations src/discount.ts#Discount/apply'],
  request: ({ operands: [symbol = ''], flags, place }) => {
    const { path, namePath } = parseSymbol(symbol, place);
    return {
      tool: 'find_implementations',
      args: { name_path: namePath, relative_path: path, include_info: flags.info ?? false },
    };
  },
  render: symbolLines,
};
