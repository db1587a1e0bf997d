import { Option } from 'commander';
import { usageError } from '../usage.ts';
import { parseFileOrSymbol, projectPath } from './address.ts';
import type { CodeCommand, Given, ToolRequest } from './code-command.ts';
import { symbolLines } from './symbol-lines.ts';

export const declaration: CodeCommand = {
  name: 'declaration',
  description: 'Find where a name that is used somewhere is defined',
  operands: [
    [
      '<place>',
      '<file>:<line>:<column>, both from 1, in UTF-16 code units; or with a regex <file> or <file>#<name path>',
    ],
    ['[regex]', 'Python regex that matches once, with one group around the name'],
  ],
  options: [
    new Option('--body', 'print the source'),
    new Option('--no-header', 'with --body, print nothing but the source'),
    new Option('--info', 'print signature and documentation').conflicts('body'),
  ],
  examples: [
    'serena declaration src/checkout.ts:12:8',
    `serena declaration src/checkout.ts#checkout 'basket\\.(total)' --body`,
  ],
  nothingFound: 'symbol.not-found',
  request: (given) => {
    const { tool, args } = given.operands[1] === undefined ? atPosition(given) : byRegex(given);
    const { body, info } = given.flags;
    return { tool, args: { ...args, include_body: body ?? false, include_info: info ?? false } };
  },
  render: (answer, view) => symbolLines([answer], view),
};

function atPosition({ operands: [text = ''], place }: Given): ToolRequest {
  const [, file = '', line, column] = /^(.+):(\d+):(\d+)$/s.exec(text) ?? [];
  if (!(Number(line) >= 1 && Number(column) >= 1)) {
    throw usageError(`\`${text}\` names no position`, [
      'write `<file>:<line>:<column>`; lines and columns begin at 1',
      "pass a regex as well: `<file> 'basket\\.(total)'`",
    ]);
  }
  return {
    tool: 'find_defining_symbol_at_location',
    args: { relative_path: projectPath(file, place), line: Number(line) - 1, column: Number(column) - 1 },
  };
}

function byRegex({ operands: [text = '', regex], place }: Given): ToolRequest {
  const { path, namePath } = parseFileOrSymbol(text, place);
  if (path === '') throw usageError(`\`${text}\` names no file`, ['write `<file>` or `<file>#<name path>`']);
  return {
    tool: 'find_declaration',
    args: { relative_path: path, regex, containing_symbol_name_path: namePath === '' ? null : namePath },
  };
}
