import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { FileMatches, StructureQuery } from '../../symbols/queries/structure-query.ts';
import { positionAt } from '../../text/position.ts';
import { countByFile, listing } from '../answers/answer-text.ts';
import { pageParts } from '../parameters.ts';
import { defineTool, symbolQuery } from '../tool.ts';

/** Parameters of the tools that take a pattern of code. */
export const structureParts = {
  pattern: z.string().default('').describe('Code with $NAME for one piece, $$$NAME for any number, as in ast-grep.'),
  language: z.string().default('').describe('Such as typescript; empty = those of the files.'),
  relative_path: z.string().default('').describe('File or directory; empty = all.'),
  where: z
    .array(z.string())
    .default([])
    .describe('F=Class/method: $F refers to it; X:type=Class; X:implements=Interface. Also file#Class.'),
  rule: z.string().default('').describe('Further rule of ast-grep as YAML: {inside: {kind: class_body, stopBy: end}}.'),
};

interface StructureInput {
  readonly pattern: string;
  readonly language: string;
  readonly relative_path: string;
  readonly where: readonly string[];
  readonly rule: string;
}

const meaning =
  /^\$*(?<variable>[A-Z][A-Z0-9_]*)(?::\s*(?<kind>type|implements))?\s*=(?:(?<file>[^#]*)#)?(?<namePath>.+)$/;

/** @throws {ExpectedError} `tool.invalid-input` for a condition that names no variable of the pattern. */
export function structureQuery({ pattern, language, relative_path, where, rule }: StructureInput): StructureQuery {
  const meanings = where.map((condition) => {
    const { variable, kind, file = '', namePath } = meaning.exec(condition)?.groups ?? {};
    const by = kind === 'type' || kind === 'implements' ? kind : 'reference';
    const isIn = new RegExp(`\\$${variable}(?![A-Z0-9_])`);
    if (variable !== undefined && namePath !== undefined && isIn.test(pattern + rule))
      return { variable, by, namePath, relativePath: file } as const;
    throw new ExpectedError('tool.invalid-input', `\`${condition}\` says nothing about a variable of the pattern`, {
      hints: [
        'write `F=Class/method`, `F=file#Class/method`, `F:type=Class` or `F:implements=Class` for `$F` in the pattern',
      ],
    });
  });
  return { pattern, rule, language: language.trim(), within: relative_path, where: meanings };
}

export const searchStructure = defineTool({
  ...symbolQuery,
  name: 'search_structure',
  description: 'Finds code by its structure, whatever its layout: `foo($A, $$$REST)`, `if ($C) return $V`.',
  stage: 'optional',
  input: () => ({ ...structureParts, ...pageParts }),
  async run({ symbols, format }, input) {
    const found = await symbols.structure(structureQuery(input));
    const files = found.flatMap(({ file, matches }) => matches.map(() => file));
    const total = `${counted(files.length, 'match', 'matches')} in ${counted(found.length, 'file')}`;
    const rows = Object.fromEntries(found.map((one) => [one.file, entriesOf(one).map((entry) => rowOf(entry, 0))]));
    return {
      value:
        format === 'short' ? listing(total, rows) : found.flatMap(entriesOf).map(({ first: _, ...entry }) => entry),
      shorter: countByFile('matches', files),
      forPeople: (shown) =>
        found.flatMap((one) => entriesOf(one).map((entry) => `${shown(one.file)}:${rowOf(entry, 1)}`)),
    };
  },
});

function entriesOf({ file, text, matches }: FileMatches) {
  return matches.map(({ start, end, bindings }) => {
    const code = text.text.slice(start, end);
    const lineAt = (offset: number) => positionAt(text.text, text.starts, offset).line;
    return {
      relative_path: file,
      start_line: lineAt(start),
      end_line: lineAt(end),
      text: code,
      variables: Object.fromEntries(bindings.map((one) => [one.name, text.text.slice(one.start, one.end)])),
      first: oneLine(code),
    };
  });
}

/** Longer code is cut in lists. */
const maxChars = 160;
const maxVariableChars = 60;

function oneLine(code: string, limit = maxChars): string {
  const line = code.split('\n', 1)[0]?.trimEnd() ?? '';
  return line.length > limit || line.length < code.length ? `${line.slice(0, limit).toWellFormed()} …` : line;
}

function rowOf({ start_line, first, variables }: ReturnType<typeof entriesOf>[number], firstLine: 0 | 1): string {
  const bound = Object.entries(variables).map(([name, code]) => `${name}=${oneLine(code, maxVariableChars)}`);
  return `${start_line + firstLine}: ${first}${bound.length === 0 ? '' : `  [${bound.join(', ')}]`}`;
}
