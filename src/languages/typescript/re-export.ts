import { dirname, relative } from 'node:path/posix';
import { ExpectedError } from '../../base/errors.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { SymbolMove } from '../../servers/quirks.ts';
import { lineStarts, lineText } from '../../text/lines.ts';
import { positionAt } from '../../text/position.ts';

const specifiers = /\b(?:from|import)\s*\(?\s*(["'])(\.[^"'\n]*)\1/g;
const exported = /^export\s+(?!default\b)/;
const typeOnly = /^export\s+(?:declare\s+)?(?:interface|type)\b/;

/**
 * Returns the steps of a move of TypeScript or JavaScript that leave all users as they are: the old file exports the name
 * from the new one.
 *
 * @throws {ExpectedError} `edit.refused` for a declaration that has no `export` of its own.
 */
export function reExporting(
  steps: readonly WorkspaceStep[],
  { move, text }: { move: SymbolMove; text: string },
): WorkspaceStep[] {
  const { path, name, target, targetText = '', range } = move;
  const starts = lineStarts(text);
  const line = lineText(text, starts, range.start.line) ?? '';
  if (!exported.test(line)) {
    throw new ExpectedError(
      'edit.refused',
      `cannot move \`${name}\` with \`re_export\`: its declaration does not begin with \`export\`, or is the default one; nothing was changed`,
      { hints: ['leave out `re_export`, so that the users are corrected'] },
    );
  }
  const kept = steps.filter((step) => step.path === path || step.path === target);
  const written = steps.flatMap((step) => (step.do === 'edit' ? step.edits.map(({ newText }) => newText) : []));
  const known = [text, targetText, ...written].flatMap((one) => [...one.matchAll(specifiers)]);
  const quote = known[0]?.[1] ?? "'";
  const end = /;[ \t]*$/m.test(text) ? ';' : '';
  const from = specifier(
    { path, target },
    known.map(([, , found = '']) => found),
  );
  const at = positionAt(text, starts, text.length);
  const statement = `export ${typeOnly.test(line) ? 'type ' : ''}{ ${name} } from ${quote}${from}${quote}${end}\n`;
  const newText = `${text.endsWith('\n') ? '' : '\n'}${statement}`;
  return [...kept, { do: 'edit', path, edits: [{ range: { start: at, end: at }, newText }] }];
}

/** Returns how the old file names the new one: with the ending that other imports have. */
function specifier({ path, target }: { path: string; target: string }, known: readonly string[]): string {
  const beside = relative(dirname(path), target);
  const named = beside.startsWith('.') ? beside : `./${beside}`;
  if (known.some((one) => /\.[cm]?tsx?$/.test(one))) return named;
  if (known.some((one) => /\.[cm]?jsx?$/.test(one))) return named.replace(/\.([cm]?)tsx?$/, '.$1js');
  return named.replace(/\.[cm]?[jt]sx?$/, '');
}
