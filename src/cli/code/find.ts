import { Option } from 'commander';
import { parseCount } from '../option-values.ts';
import { parseSymbol } from './address.ts';
import type { CodeCommand } from './code-command.ts';
import { kindOption } from './kind-option.ts';
import { symbolLines } from './symbol-lines.ts';

export const find: CodeCommand = {
  name: 'find',
  description: 'Find symbols by name path, in the whole project or in a file or directory',
  operands: [['<symbol>', 'name path, or <file or directory>#<name path>']],
  options: [
    new Option('--body', 'print the source of each symbol'),
    new Option('--no-header', 'with --body, print nothing but the source'),
    new Option('--info', 'print signature and documentation').conflicts('body'),
    new Option('--depth <n>', 'levels of members to list').argParser(parseCount).conflicts('body'),
    new Option('--substring', 'match part of the last name'),
    kindOption(),
  ],
  examples: [
    'serena find Basket/total --body',
    'serena find src/basket.ts#Basket --depth 1',
    'serena find get --substring --kind method,function',
    'serena find -- -name-that-begins-with-a-dash',
  ],
  request: ({ operands: [symbol = ''], flags, place }) => {
    const { path, namePath } = parseSymbol(symbol, place);
    return {
      tool: 'find_symbol',
      args: {
        name_path_pattern: namePath,
        relative_path: path,
        depth: flags.depth ?? 0,
        include_body: flags.body ?? false,
        include_info: flags.info ?? false,
        substring_matching: flags.substring ?? false,
        include_kinds: flags.kind ?? [],
      },
    };
  },
  render: symbolLines,
};
