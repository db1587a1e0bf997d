import { structuredPatch } from 'diff';
import { fromUri, relativeWithin } from '../../src/base/paths.ts';
import { kindName } from '../../src/symbols/model/kinds.ts';
import { namePathOf } from '../../src/symbols/model/name-path.ts';
import { preOrder, type SymbolNode } from '../../src/symbols/model/symbol.ts';
import type { OwnedDiagnostic } from '../../src/symbols/queries/diagnostics.ts';
import type { Reference } from '../../src/symbols/queries/references.ts';
import type { Range } from '../../src/text/place.ts';
import type { Position } from '../../src/text/position.ts';
import type { Workspace } from '../support/workspace.ts';

/** Returns a position or a range as in LSP: `line:character`, 0-based, in UTF-16 code units. */
export function renderRange({ start, end }: Range): string {
  return `${renderPosition(start)}-${renderPosition(end)}`;
}

function renderPosition({ line, character }: Position): string {
  return `${line}:${character}`;
}

/**
 * Returns each symbol of a file's tree in a line: kind, name path, range, position of the name, and the first line of
 * its range.
 */
export function renderTree(workspace: Workspace, tree: readonly SymbolNode[]): string {
  return [...preOrder(tree)].map((node) => `${renderNode(node)} | ${firstLine(workspace, node)}`).join('\n');
}

function renderNode(node: SymbolNode): string {
  const name = renderPosition(node.selectionRange.start);
  return `${kindName(node.kind)} ${namePathOf(node)} ${renderRange(node.range)} name ${name}`;
}

/** Returns each symbol in a line, with its file. */
export function renderFound(nodes: readonly SymbolNode[]): string {
  const lines = nodes.map(
    (node) => `${kindName(node.kind)} ${namePathOf(node)} in ${node.file} ${renderRange(node.range)}`,
  );
  return lines.join('\n') || '(none)';
}

/** Returns a symbol as `kind name path in file:first-last line`, 0-based. */
export function placeOf({ kind, range, file, ...symbol }: SymbolNode): string {
  const namePath = namePathOf({ kind, range, file, ...symbol });
  return `${kindName(kind)} ${namePath} in ${file}:${range.start.line}-${range.end.line}`;
}

/** Returns each diagnostic in a line. */
export function renderDiagnostics(found: readonly OwnedDiagnostic[]): string {
  const lines = found.map(({ owner, diagnostic: { range, severity, source, code, message } }) => {
    const place = `${renderRange(range)} in ${owner ? namePathOf(owner) : 'the file'}`;
    return `${place} severity ${severity} ${source} ${code}: ${message.replaceAll('\n', ' ')}`;
  });
  return lines.join('\n') || '(clean)';
}

/** Returns each reference in a line, sorted by file and position: the server's own order has no meaning. */
export function renderReferences(references: readonly Reference[]): string {
  const lines = references.map(({ symbol, range, text }) => {
    const line = text.text.split('\n')[range.start.line] ?? '';
    const inside = `${kindName(symbol.kind)} ${namePathOf(symbol)}`;
    return { file: symbol.file, range, line: `${renderRange(range)} in ${inside} | ${line.trim()}` };
  });
  return renderByFile(lines);
}

/** Returns `file:line` of each reference, 0-based, sorted by file and position. */
export function placesOf(references: readonly Reference[]): string[] {
  return references
    .map(({ symbol, range }) => ({ file: symbol.file, line: range.start.line }))
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line)
    .map(({ file, line }) => `${file}:${line}`);
}

interface Placed {
  readonly file: string;
  readonly range: Range;
  readonly line: string;
}

/** Returns lines grouped by file, sorted by file and position. */
export function renderByFile(lines: readonly Placed[]): string {
  const sorted = [...lines].sort(
    (a, b) =>
      (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
      a.range.start.line - b.range.start.line ||
      a.range.start.character - b.range.start.character,
  );
  const byFile = Map.groupBy(sorted, ({ file }) => file);
  return (
    [...byFile].map(([file, group]) => [file, ...group.map(({ line }) => `  ${line}`)].join('\n')).join('\n') ||
    '(none)'
  );
}

/** Returns the project-relative path of a URI, or the URI if it is outside. */
export function fileOf(workspace: Workspace, uri: string): string {
  const path = fromUri(uri);
  return (path === undefined ? undefined : relativeWithin(workspace.root, path)) ?? uri;
}

function firstLine(workspace: Workspace, { file, range }: SymbolNode): string {
  const line = workspace.read(file).split('\n')[range.start.line] ?? '';
  return line.slice(range.start.character);
}

/** Answers to questions, which are their first lines. */
export type Sections = Readonly<Record<string, readonly string[]>>;

/** Returns answers by title; of a repeated question only what differs from the answer before. */
export function renderSections(parts: Sections): string {
  const known = new Map<string, string>();
  const render = (answer: string) => {
    const [question = ''] = answer.split('\n', 1);
    const before = known.get(question);
    known.set(question, answer);
    if (before === undefined) return answer;
    const changes = changedLines(before, answer);
    return changes.length === 0 ? `${question}: as before` : [`${question}: as before, but for`, ...changes].join('\n');
  };
  return Object.entries(parts)
    .map(([title, answers]) => `== ${title}\n${answers.map(render).join('\n\n')}`)
    .join('\n\n');
}

/** Returns the lines that only one of two texts has, with their 1-based numbers in it: `-3 old`, `+3 new`. */
function changedLines(before: string, after: string): string[] {
  const { hunks } = structuredPatch('', '', `${before}\n`, `${after}\n`, undefined, undefined, { context: 0 });
  return hunks.flatMap(({ lines, oldStart, newStart }) => {
    const next = { '-': oldStart, '+': newStart };
    return lines.map((line) =>
      line.startsWith('-') ? `-${next['-']++} ${line.slice(1)}` : `+${next['+']++} ${line.slice(1)}`,
    );
  });
}
