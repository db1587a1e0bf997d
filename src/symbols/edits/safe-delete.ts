import { existsSync } from 'node:fs';
import { ExpectedError } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import { comparePositions } from '../../lsp/documents/ranges.ts';
import { resolveInProject } from '../../search/project-path.ts';
import { lineEnd } from '../../text/lines.ts';
import { bodySpan } from '../model/body.ts';
import { isContainerKind } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { preOrder, type SymbolNode } from '../model/symbol.ts';
import { type Span, spanOf, startOfLine } from '../model/text-range.ts';
import { editLimits } from '../queries/all-references.ts';
import { usesOf } from '../queries/references.ts';
import { lastLineOf } from './edit.ts';
import { notingSyntax } from './syntax-note.ts';
import { isBareName, openTarget, type SymbolAddress, type Target } from './target.ts';

/** What keeps a symbol from being deleted: by file, the 0-based line of each use, as often as it is used there. */
export type UseLines = Readonly<Record<string, readonly number[]>>;

/** What became of the symbol: without uses it is deleted. */
export interface SafeDeletion {
  readonly symbol: SymbolNode;
  readonly uses: UseLines;
  /** About what the deletion broke. */
  readonly notes: readonly string[];
}

/**
 * Deletes a symbol that nothing uses, with the empty lines that follow it (`spec/tools.md` §10.5). Uses by itself count.
 *
 * @throws {ExpectedError} `tool.failed-assertion` where the symbol is not in the very file that the address names;
 *   `edit.refused` where the server could not vouch for having found every use, or where taking the symbol out would leave a
 *   part of its statement behind; what {@link openTarget}, the server and committing throw.
 */
export async function safeDelete(
  scope: SymbolScope,
  edits: Edits,
  address: SymbolAddress & { readonly ignoresUnresolved: boolean },
): Promise<SafeDeletion> {
  const target = await openTarget(scope, edits, address);
  const { symbol, draft } = target;
  requireSameFile(scope, symbol, address.relativePath);
  const uses = await useLines(scope, symbol);
  if (Object.keys(uses).length > 0) return { symbol, uses, notes: [] };
  if (!address.ignoresUnresolved) refuseUncertain(scope, symbol);
  const { start, end } = await deletedSpan(scope, target);
  draft.replace(start, end, '');
  const notes = await notingSyntax(scope, symbol.file, () => edits.commit(scope.call.signal));
  return { symbol, uses, notes };
}

function requireSameFile(scope: SymbolScope, symbol: SymbolNode, relativePath: string): void {
  if (resolveInProject(scope.files.project, relativePath) === symbol.file) return;
  throw new ExpectedError(
    'tool.failed-assertion',
    `\`relative_path\` is not the file that defines \`${namePathOf(symbol)}\`: that is \`${symbol.file}\``,
    { hints: [`Pass \`relative_path\` "${symbol.file}" if this is the symbol to delete`] },
  );
}

async function useLines(scope: SymbolScope, symbol: SymbolNode): Promise<UseLines> {
  const lines: Record<string, number[]> = {};
  for (const { file, range } of await usesOf(scope, symbol, { limits: editLimits })) {
    const isDeclaration = file === symbol.file && comparePositions(range.start, symbol.selectionRange.start) === 0;
    // A server may still know a file that is gone.
    if (isDeclaration || !existsSync(scope.files.absolute(file))) continue;
    lines[file] = [...(lines[file] ?? []), range.start.line];
  }
  return lines;
}

function refuseUncertain({ gaps }: SymbolScope, symbol: SymbolNode): void {
  if (gaps.length === 0) return;
  const missing = gaps.map((gap) => `${gap.missing}: ${gap.reason}`).join('; ');
  throw new ExpectedError(
    'edit.refused',
    `Cannot tell whether \`${namePathOf(symbol)}\` is used, so it was not deleted. ${missing}`,
    {
      hints: [
        ...new Set(gaps.map(({ next }) => next)),
        'If none of them refers to it, set `ignore_unresolved` to true',
      ],
    },
  );
}

/** What may follow a definition on its last line and stay: nothing, or a comment. */
const harmlessRest = /^[ \t]*(?:(?:#|\/\/|--).*|\/\*(?:(?!\*\/).)*\*\/[ \t]*)?$/;

/** Returns what to take out of the text: the symbol's range and, where nothing else is on its lines, those and empty ones. */
async function deletedSpan(scope: SymbolScope, target: Target): Promise<Span> {
  const { symbol, draft } = target;
  const { text, starts } = draft.lines;
  if (isBareName(target) || (await isTangled(scope, target))) throw onlyPart(symbol);
  const lastLine = lastLineOf(symbol);
  const { start, end: rangeEnd } = bodySpan(symbol, draft.lines);
  const lineStart = startOfLine(draft.lines, symbol.range.start.line);
  const endOfLastLine = lineEnd(text, starts, lastLine);
  const bodyEnd = Math.min(rangeEnd, endOfLastLine);
  const rest = text.slice(bodyEnd, endOfLastLine);
  // A variable may be one of several in a statement, to which the separator then belongs.
  const hasSeparator = isContainerKind(symbol.kind) && /^[;,]/.test(rest) && harmlessRest.test(rest.slice(1));
  const end = hasSeparator ? bodyEnd + 1 : bodyEnd;
  const before = text.slice(lineStart, start);
  const after = text.slice(end, endOfLastLine);
  if (before.trim() !== '' || !harmlessRest.test(after)) throw onlyPart(symbol);
  if (after.trim() !== '') return { start, end };
  let next = lastLine + 1;
  while (next < starts.length && isEmptyLine(target, next)) next++;
  return { start: lineStart, end: startOfLine(draft.lines, next) };
}

function isEmptyLine({ draft: { lines } }: Target, line: number): boolean {
  return lines.text.slice(lines.starts[line], lineEnd(lines.text, lines.starts, line)).trim() === '';
}

/** Returns whether another definition shares the symbol's text, as in `var a, b = 1, 2`: its own members do not count. */
async function isTangled(scope: SymbolScope, { symbol, draft }: Target): Promise<boolean> {
  const own = bodySpan(symbol, draft.lines);
  const tree = await scope.files.treeOf(symbol.file, scope.call);
  return preOrder(tree).some((other) => {
    if (isWithin(other, symbol) || isWithin(symbol, other)) return false;
    const span = spanOf(draft.lines, other.range);
    if (span === undefined || span.end <= own.start || own.end <= span.start) return false;
    // What lies inside goes with it: `self.name = name` in a method defines a member of the class.
    return span.start <= own.start || own.end <= span.end;
  });
}

/** Returns whether `symbol` is `ancestor` or below it. */
function isWithin(symbol: SymbolNode, ancestor: SymbolNode): boolean {
  return symbol === ancestor || (symbol.parent !== undefined && isWithin(symbol.parent, ancestor));
}

function onlyPart(symbol: SymbolNode): ExpectedError {
  const { start, end } = symbol.range;
  const lines = start.line === end.line ? `line ${start.line}` : `lines ${start.line} to ${end.line}`;
  return new ExpectedError(
    'edit.refused',
    `Nothing uses \`${namePathOf(symbol)}\`, but its range is only a part of the statement in ${lines} of \`${symbol.file}\`: without it the rest would not be valid`,
    { hints: ['Call `replace_content` to take out or change the whole statement'] },
  );
}
