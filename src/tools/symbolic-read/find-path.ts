import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { PathStep } from '../../symbols/queries/paths.ts';
import { labelled, listing } from '../answers/answer-text.ts';
import { pageParts } from '../parameters.ts';
import { defineTool, symbolQuery } from '../tool.ts';

export const findPath = defineTool({
  ...symbolQuery,
  name: 'find_path',
  description:
    'Finds how one symbol reaches another one: the shortest paths of calls, functions passed as values, and overrides.',
  stage: 'optional',
  input: () => ({
    name_path: z.string().describe('Name path of the symbol that calls.'),
    relative_path: z.string().default('').describe('Its file.'),
    target_name_path: z.string().describe('Name path of the symbol that is reached.'),
    target_relative_path: z.string().default('').describe('Its file.'),
    max_paths: z.int().min(1).default(5).describe('Maximum number of paths.'),
    ...pageParts,
  }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, format }, input) {
    const source = await symbols.unique(input.name_path, input.relative_path);
    const target = await symbols.unique(input.target_name_path, input.target_relative_path);
    const { paths, readCount, isComplete } = await symbols.paths({ source, target, maxPaths: input.max_paths });
    const ends = `from \`${namePathOf(source)}\` to \`${namePathOf(target)}\``;
    const none = `No path ${ends}: every call in the ${counted(readCount, 'symbol')} that it reaches was followed, except into code outside the project`;
    const rows = paths.map((path) => path.map(describe));
    const heading = `${counted(paths.length, 'path')} ${ends}`;
    const named = Object.fromEntries(rows.map((path, index) => [`path ${index + 1}`, path]));
    return {
      value: format === 'short' ? listing(heading, named) : paths.map((path) => path.map(entryOf)),
      shorter: [() => labelled(heading, paths.map(namesOf))],
      notes: paths.length === 0 && isComplete ? [none] : [],
    };
  },
});

function entryOf({ from, to, how, file, line, text }: PathStep) {
  return { from: namePathOf(from), to: namePathOf(to), how, relative_path: file, line, text };
}

function describe({ from, to, how, file, line, text }: PathStep): string {
  return `${file}:${line}: ${namePathOf(from)} ${how} ${namePathOf(to)}: ${text}`;
}

function namesOf(path: readonly PathStep[]): string {
  const first = path[0] === undefined ? [] : [path[0].from];
  return [...first, ...path.map(({ to }) => to)].map(namePathOf).join(' → ');
}
