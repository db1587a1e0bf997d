import { comparePositions } from '../../text/place.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { isCallable, kinds } from './kinds.ts';
import { namePathOf } from './name-path.ts';
import type { SymbolNode } from './symbol.ts';
import { type Span, spanOf } from './text-range.ts';

export interface FileState {
  readonly tree: readonly SymbolNode[];
  readonly text: TextLines;
}

/** How the symbols of two states differ. Of an added or deleted symbol, members are not listed. */
export interface SymbolChanges {
  readonly deleted: readonly SymbolNode[];
  /** Symbols with another name path or file; `isEdited` if their text differs as well. */
  readonly moved: readonly { readonly from: SymbolNode; readonly to: SymbolNode; readonly isEdited: boolean }[];
  /** Symbols whose own text differs: without their members. */
  readonly changed: readonly SymbolNode[];
  readonly added: readonly SymbolNode[];
}

interface Entry {
  readonly node: SymbolNode;
  /** Text without members. */
  readonly own: string;
  /** Whole text, with a placeholder for its name. */
  readonly shape: string;
}

/** Part of the words that two bodies share if one is taken for the other. */
const leastSimilar = 0.7;
/** Shorter bodies are alike by chance. */
const minWords = 8;
/** Pairs of symbols whose texts are compared. */
const maxPairs = 20_000;

/** Compares the symbols of files before and after; see {@link SymbolChanges}. A file without one of them is absent there. */
export function symbolChanges(
  files: readonly { readonly old: FileState | undefined; readonly new: FileState | undefined }[],
): SymbolChanges {
  const deleted: Entry[] = [];
  const added: Entry[] = [];
  const changed: SymbolNode[] = [];
  for (const file of files) {
    const [before, after] = [entriesOf(file.old), entriesOf(file.new)];
    for (const [key, entry] of after) {
      const known = before.get(key);
      if (known === undefined) added.push(entry);
      else if (known.own !== entry.own) changed.push(entry.node);
    }
    for (const [key, entry] of before) if (!after.has(key)) deleted.push(entry);
  }
  const pairs = pairsOf(deleted, added);
  const moved = pairs.map(([from, to]) => ({ from: from.node, to: to.node, isEdited: from.shape !== to.shape }));
  const paired = new Set(pairs.flat());
  const rest = (entries: readonly Entry[]) => {
    const nodes = new Set(entries.map(({ node }) => node));
    return entries.filter((one) => !paired.has(one) && !hasParentIn(nodes, one.node)).map(({ node }) => node);
  };
  const movedNodes = new Set(moved.flatMap(({ from, to }) => [from, to]));
  return {
    deleted: rest(deleted),
    moved: moved.filter(({ from }) => !hasParentIn(movedNodes, from)),
    changed,
    added: rest(added),
  };
}

function hasParentIn(nodes: ReadonlySet<SymbolNode>, { parent }: SymbolNode): boolean {
  return parent !== undefined && (nodes.has(parent) || hasParentIn(nodes, parent));
}

/** A symbol with the part of the text that belongs to it: from the comments and decorators above it on. */
interface Placed {
  readonly node: SymbolNode;
  readonly children: readonly Placed[];
  readonly span: Span;
}

/** Returns the symbols of a state by kind and name path. What a function contains belongs to the function. */
function entriesOf(state: FileState | undefined): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  if (state === undefined) return entries;
  const visit = ({ node, children, span }: Placed) => {
    const own = textWithout(state.text.text, span, children);
    entries.set(`${node.kind} ${namePathOf(node)}`, { node, own, shape: shapeOf(node, state.text) });
    for (const child of children) visit(child);
  };
  for (const placed of placedIn(state.tree, { text: state.text, floor: 0 })) visit(placed);
  return entries;
}

/** Returns symbols by position; those without a place in the text are dropped. The text above `floor` is not theirs. */
function placedIn(nodes: readonly SymbolNode[], { text, floor }: { text: TextLines; floor: number }): Placed[] {
  const placed: Placed[] = [];
  let end = floor;
  for (const node of [...nodes].sort((a, b) => comparePositions(a.range.start, b.range.start))) {
    const span = spanOf(text, node.range);
    if (span === undefined) continue;
    const hasMembers = !isCallable(node) && node.kind !== kinds.variable;
    const members = hasMembers ? node.children.filter(({ file }) => file === node.file) : [];
    const children = placedIn(members, { text, floor: span.start });
    placed.push({ node, children, span: { start: startWithComments(text.text, span.start, end), end: span.end } });
    end = Math.max(end, span.end);
  }
  return placed;
}

const aboveSymbol = /^\s*(?:\/\/|\/\*|\*|#(?!\w)|@)/;

/** Returns where the comments and decorators directly above a symbol start, or its line; not before `floor`. */
function startWithComments(text: string, start: number, floor: number): number {
  let line = text.lastIndexOf('\n', start - 1) + 1;
  if (line < floor) return start;
  while (line > floor) {
    const above = text.lastIndexOf('\n', line - 2) + 1;
    if (above < floor || !aboveSymbol.test(text.slice(above, line))) break;
    line = above;
  }
  return line;
}

/** Returns the text of a symbol without its members and what separates them. */
function textWithout(text: string, span: Span, members: readonly Placed[]): string {
  let at = span.start;
  let own = '';
  const add = (end: number) => {
    const part = text.slice(at, end);
    own += at === span.start ? part : part.replace(/^\s*[;,]/, '');
  };
  for (const { span: inner } of members) {
    if (inner.start < at || inner.end > span.end) continue;
    add(inner.start);
    at = inner.end;
  }
  add(span.end);
  return condensed(own);
}

function shapeOf(node: SymbolNode, text: TextLines): string {
  const [span, name] = [spanOf(text, node.range), spanOf(text, node.selectionRange)];
  if (span === undefined || name === undefined) return '';
  return condensed(`${text.text.slice(span.start, name.start)}\0${text.text.slice(name.end, span.end)}`);
}

function condensed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns the deleted symbols with the added ones that they became: those of the same text first, then similar ones. */
function pairsOf(deleted: readonly Entry[], added: readonly Entry[]): [Entry, Entry][] {
  const pairs: [Entry, Entry][] = [];
  const left = new Set(added);
  const take = (from: Entry, to: Entry | undefined) => {
    if (to === undefined || !left.delete(to)) return false;
    pairs.push([from, to]);
    return true;
  };
  const byShape = Map.groupBy(added, ({ node, shape }) => `${node.kind} ${shape}`);
  const others = deleted.filter((from) => {
    const same = (byShape.get(`${from.node.kind} ${from.shape}`) ?? []).filter((to) => left.has(to));
    const best = same.find(({ node }) => node.name === from.node.name) ?? same[0];
    const isCertain = wordsOf(from.shape).length >= minWords || best?.node.name === from.node.name;
    return !(isCertain && take(from, best));
  });
  if (others.length * left.size > maxPairs) return pairs;
  const similar = others.flatMap((from) =>
    [...left].flatMap((to) => {
      const likeness = from.node.kind === to.node.kind ? likenessOf(from, to) : 0;
      return likeness >= leastSimilar ? [{ from, to, likeness }] : [];
    }),
  );
  const done = new Set<Entry>();
  for (const { from, to } of similar.sort((a, b) => b.likeness - a.likeness)) {
    if (!done.has(from) && take(from, to)) done.add(from);
  }
  return pairs;
}

/** Returns the part of their words that two texts share. */
function likenessOf(a: Entry, b: Entry): number {
  const [left, right] = [wordsOf(a.shape), wordsOf(b.shape)];
  if (Math.min(left.length, right.length) < minWords) return 0;
  const counts = new Map<string, number>();
  for (const word of left) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of right) {
    const count = counts.get(word) ?? 0;
    if (count > 0) shared++;
    counts.set(word, count - 1);
  }
  return (2 * shared) / (left.length + right.length);
}

function wordsOf(shape: string): readonly string[] {
  return shape.match(/[\p{L}_][\p{L}\p{N}_]*|\d+/gu) ?? [];
}
