import type { Node, Tree } from 'web-tree-sitter';
import type { ParsedProfile } from '../languages/language-profile.ts';
import type { OutlineRules } from '../languages/outline-rules.ts';
import { lineStarts } from '../text/lines.ts';
import { type Position, positionAt } from '../text/position.ts';
import { type CallShape, callOf, type Definition, definitionOf } from './calls.ts';

/** An occurrence of a name in code. */
export interface Identifier {
  readonly name: string;
  readonly start: Position;
}

/** Returns the identifiers in a syntax tree in document order, without those in comments and strings. */
export function identifiersIn(tree: Tree, table: OutlineRules): Identifier[] {
  const types: ReadonlySet<string> = new Set(table.identifiers ?? table.names);
  const found: Identifier[] = [];
  const cursor = tree.walk();
  for (let isInside = true; isInside; ) {
    if (types.has(cursor.nodeType)) {
      const { row, column } = cursor.startPosition;
      found.push({ name: cursor.nodeText, start: { line: row, character: column } });
    } else if (cursor.gotoFirstChild()) continue;
    while (!cursor.gotoNextSibling()) {
      isInside = cursor.gotoParent();
      if (!isInside) break;
    }
  }
  cursor.delete();
  return found;
}

/** An occurrence of a name as a whole word. */
export interface NameOccurrence {
  readonly start: Position;
  /**
   * `inert`: in a comment or a string, or a keyword, such as `type` in `import type`; `other`: neither that nor an
   * identifier, such as in the definition of a macro.
   */
  readonly kind: 'identifier' | 'inert' | 'other';
  /** The arguments, if the name is called; absent in languages without `calls` in their profile, as is the next one. */
  readonly call?: CallShape | undefined;
  readonly definition?: Definition | undefined;
  /** Where the innermost declaration around it gives the name its meaning, if it is no import. */
  readonly binding?: Position;
}

/** Types of leaves without code: an interpolation in them is a node of its own, except in Perl. */
const inertType = /comment|string(?!_double_quoted)|heredoc|regex|jsx_text|^text$|char(?:acter)?_literal/;
/** Types of nodes that are names in some place. */
const nameType = /identifier|name|word|method|variable|label|symbol/;
const wordCharacter = /[\p{L}\p{N}_]/u;

/**
 * Returns the occurrences of a name in a text in its order. Empty for a text with syntax errors: what its tree says about
 * comments and strings may be wrong.
 */
export function nameOccurrences(
  { rootNode }: Tree,
  { outline: table, calls }: Pick<ParsedProfile, 'outline' | 'calls'>,
  { text, name }: { readonly text: string; readonly name: string },
): NameOccurrence[] {
  if (rootNode.hasError) return [];
  const identifiers: ReadonlySet<string> = new Set(table.identifiers ?? table.names);
  const starts = lineStarts(text);
  const patterns = Object.keys(table.patterns ?? {});
  const leaves: { leaf: Node; at: number }[] = [];
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    if (wordCharacter.test(text[at - 1] ?? ' ') || wordCharacter.test(text[at + name.length] ?? ' ')) continue;
    const leaf = rootNode.descendantForIndex(at, at + name.length);
    if (leaf !== null) leaves.push({ leaf, at });
  }
  const bindingOf = bindingsAmong(
    leaves.map(({ leaf }) => leaf),
    table,
  );
  return leaves.map(({ leaf, at }) => {
    const kind = kindOf(leaf, { text, at, identifiers });
    const bound = bindingOf(leaf);
    const binding = bound === undefined ? {} : { binding: positionAt(text, starts, bound) };
    const occurrence = { start: positionAt(text, starts, at), kind, ...binding };
    if (kind === 'inert' || calls === undefined) return occurrence;
    return { ...occurrence, call: callOf(leaf, calls), definition: definitionOf(leaf, calls, patterns) };
  });
}

/** Returns a function that returns the offset of the declaration by which a name has its meaning. */
function bindingsAmong(
  leaves: readonly Node[],
  { scopeDeclaredAt, bound }: OutlineRules,
): (leaf: Node) => number | undefined {
  if (scopeDeclaredAt === undefined || bound === undefined) return () => undefined;
  const declared = leaves.flatMap((leaf) => {
    const scope = scopeDeclaredAt(leaf);
    return scope === undefined ? [] : [{ leaf, scope }];
  });
  const declaring = new Set(declared.map(({ leaf }) => leaf.id));
  const lengthOf = ({ startIndex, endIndex }: Node) => endIndex - startIndex;
  return (leaf) => {
    if (!bound.includes(leaf.type) || declaring.has(leaf.id)) return undefined;
    const around = declared
      .filter(({ scope }) => scope.startIndex <= leaf.startIndex && leaf.endIndex <= scope.endIndex)
      .sort((a, b) => lengthOf(a.scope) - lengthOf(b.scope));
    const [innermost, next] = around;
    // Of several declarations of one scope each may be meant.
    if (innermost === undefined || next?.scope.id === innermost.scope.id) return undefined;
    return /^import_|_import$/.test(innermost.leaf.parent?.type ?? '') ? undefined : innermost.leaf.startIndex;
  };
}

function kindOf(
  leaf: Node,
  { text, at, identifiers }: { text: string; at: number; identifiers: ReadonlySet<string> },
): NameOccurrence['kind'] {
  // `#name` is another name.
  if (leaf.startIndex < at && leaf.type.startsWith('private_')) return 'inert';
  if (leaf.startIndex === at) {
    if (identifiers.has(leaf.type)) return 'identifier';
    const name = nameAround(leaf);
    if (name !== undefined) return identifiers.has(name.type) ? 'identifier' : 'other';
    // The arguments of a macro are not parsed.
    if (!leaf.isNamed && leaf.parent?.type.startsWith('token_') !== true) return 'inert';
  }
  // Some grammars overlook interpolations, such as the first `$name` in a string of Kotlin.
  const mayBeInterpolated = /[$@{]/.test(text[at - 1] ?? '');
  return inertType.test(leaf.type) && !mayBeInterpolated ? 'inert' : 'other';
}

/** Returns the name that consists of an anonymous leaf: of a word that is a keyword elsewhere. */
function nameAround({ isNamed, parent, startIndex, endIndex }: Node): Node | undefined {
  if (isNamed || parent?.startIndex !== startIndex || parent.endIndex !== endIndex) return undefined;
  return nameType.test(parent.type) ? parent : undefined;
}
