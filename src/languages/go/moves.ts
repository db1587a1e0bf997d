import { basename, dirname } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { requestCommandEdits } from '../../lsp/features/code-actions.ts';
import type { RangeEdit } from '../../lsp/features/rename.ts';
import type { ServerAdapter } from '../../servers/adapter.ts';
import { lineStarts, lineText } from '../../text/lines.ts';
import { positionAt } from '../../text/position.ts';
import { buildEnding, constraintLines } from './build-constraints.ts';

const keyword = /^(?:func|type|var|const)\b/;
const packageLine = /^package[ \t]+(\w+).*\n?/m;
const firstDeclaration = /^(?:func|type|var|const)\b/m;
/** A line of an import declaration; group 1 is the name and the path. */
const importLine = /^[ \t]*(?:import[ \t]+)?((?:[\w.]+[ \t]+)?["`][^"`\n]+["`])/gm;
/** The import declaration of a file that gopls wrote. */
const writtenImports = /^\s*import (?:\([^)]*\)|.*)\n/;

/**
 * gopls 0.23 moves a declaration to a new file of the same package, and chooses its name:
 *
 * ```go
 * package shop
 * func Total() int { return 1 }   // moves to `total.go`, whatever the target is
 * ```
 *
 * What it would write there is added to the target. Covered by the moves of symbols in `test/languages/go/moves.test.ts`.
 */
export const moveInPackage: NonNullable<ServerAdapter['moveSymbol']> = async (server, move, limits) => {
  const { file, range, target, targetText, reExports } = move;
  if (dirname(file) !== dirname(target)) throw refused('another directory is another Go package');
  if (buildEnding(basename(file)) !== buildEnding(basename(target))) throw refused('other builds contain that file');
  if (reExports) throw refused('its package offers the name anyway', ['leave out `re_export`: no user changes']);
  const text = server.documents.textOf(file);
  const line = lineText(text, lineStarts(text), range.start.line) ?? '';
  // A part of a group, such as `type ( … )`.
  if (!keyword.test(line.slice(range.start.character))) return undefined;
  const command = { command: 'gopls.extract_to_new_file', arguments: [{ uri: server.files.uriOf(file), range }] };
  const steps = await requestCommandEdits(server, command, limits);
  const made = steps.find((step) => step.do === 'create')?.file;
  if (targetText === undefined) return steps.map((step) => (step.file === made ? { ...step, file: target } : step));
  const written = steps.flatMap((step) => (step.do === 'edit' && step.file === made ? step.edits : []));
  const edits = additions(targetText, written.map(({ newText }) => newText).join(''));
  return [...steps.filter((step) => step.file !== made), { do: 'edit', file: target, edits }];
};

/** Returns the edits that add the declarations and the imports of a file to another one of its package. */
function additions(text: string, added: string): RangeEdit[] {
  const clause = packageLine.exec(text);
  const addedClause = packageLine.exec(added);
  if (clause === null || addedClause === null || clause[1] !== addedClause[1]) throw refused('it has another package');
  if (constraintLines(text).join('\n') !== constraintLines(added).join('\n'))
    throw refused('other builds contain that file');
  const code = added.slice(addedClause.index + addedClause[0].length).replace(writtenImports, '');
  const missing = missingImports(importsOf(text), importsOf(added));
  const imports = missing.length === 0 ? '' : `\nimport (\n${missing.map((spec) => `\t${spec}\n`).join('')})\n`;
  const gap = text.endsWith('\n') ? '\n' : '\n\n';
  return [
    ...(imports === '' ? [] : [insertion(text, clause.index + clause[0].length, imports)]),
    insertion(text, text.length, `${gap}${code.trim()}\n`),
  ];
}

function insertion(text: string, offset: number, newText: string): RangeEdit {
  const at = positionAt(text, lineStarts(text), offset);
  return { range: { start: at, end: at }, newText };
}

/** Returns the imports of a file: names and paths, by the name that the code uses as far as the path shows it. */
function importsOf(text: string): Map<string, string> {
  const head = text.slice(0, firstDeclaration.exec(text)?.index);
  const specs = [...head.matchAll(importLine)].map(([, spec = '']) => spec.replace(/\s+/g, ' '));
  return new Map(specs.map((spec) => [/^[\w.]+(?= )/.exec(spec)?.[0] ?? basename(spec.slice(1, -1)), spec]));
}

function missingImports(present: ReadonlyMap<string, string>, needed: ReadonlyMap<string, string>): string[] {
  return [...needed].flatMap(([name, spec]) => {
    const other = present.get(name);
    if (spec === '"C"' && other === undefined) throw refused('the declaration needs the C code of its file');
    if (other === undefined) return [spec];
    if (other !== spec) throw refused(`it imports ${other}, and the declaration uses ${spec}`);
    return [];
  });
}

const usualHints = ['choose another file', 'move the code with the editing tools'];

function refused(reason: string, hints: readonly string[] = usualHints): ExpectedError {
  return new ExpectedError('edit.refused', `cannot move the declaration to this file: ${reason}; nothing was changed`, {
    hints,
  });
}
