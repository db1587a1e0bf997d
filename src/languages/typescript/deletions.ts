import type {
  EditChecks,
  ImportActions,
  OffsetSpan,
  PartialDeclaration,
  ServerAdapter,
} from '../../servers/adapter.ts';
import { comparedMember } from './compared-members.ts';

/**
 * tsserver 6.0 and TypeScript 7.0 rename neither a member that must have the same name nor a string that names one:
 *
 * ```ts
 * interface Item { price: number }
 * const item: Item = load({ price: 1 });   // types are compared by their members
 * const key: keyof Item = 'price';
 * ```
 *
 * Covered by `test/languages/typescript/renamed-strings.test.ts`.
 */
/** tsserver and TypeScript 7 have the same titles. */
export const importActions: ImportActions = {
  kind: 'quickfix',
  title: /^(?:Add import from|Update import from|Import ['"`])/,
  isWhole: false,
};

export const typescriptChecks: EditChecks = {
  structuralTypes: 'all',
  comparedMember,
  // "… is declared but its value is never read", of one declaration or of all in a statement.
  unusedCodes: [6133, 6138, 6192, 6196, 6198, 6199],
};

/** LSP's `SymbolKind` of enumerations. tsserver reports their members as constants. */
const enumKind = 10;

const keywordBefore = /(?:\bexport[ \t]+)?(?:\bdeclare[ \t]+)?\b(const|let|var)[ \t]+$/;
const initialized = /^(?:[\p{L}\p{N}_$]+|"[^"\n]*"|'[^'\n]*'|\[[^\]\n]*\])\s*=/u;
const inlineSpace = /^(?:[ \t]|\/\*(?:(?!\*\/)[^\n])*\*\/)*/;
const spaceAndComments = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*)*/;

/**
 * tsserver 6.0 and TypeScript 7.0 report a part of what must be deleted as the range of a declaration:
 *
 * ```ts
 * export const total = 1;      // the range is `total = 1`
 * enum Size { Small, Large }   // the range of `Small` ends before the comma
 * ```
 *
 * Covered by `test/languages/typescript/deletions.test.ts`.
 */
export const deletedDeclarator: NonNullable<ServerAdapter['deletedPart']> = (text, declaration) =>
  declaration.parentKind === enumKind ? enumMember(text, declaration) : declarator(text, declaration);

function declarator(text: string, { span, siblings }: PartialDeclaration): OffsetSpan | undefined {
  const rest = text.slice(span.end);
  const keyword = keywordBefore.exec(text.slice(0, span.start));
  if (keyword === null) {
    const previous = previousInList(text, span, siblings);
    if (previous === undefined || !isInDeclaration(text, previous, siblings)) return undefined;
    return endsList(rest) === undefined && !/^\s*,/.test(rest) ? undefined : { start: previous.end, end: span.end };
  }
  const comma = /^\s*,\s*/.exec(rest);
  if (comma !== null) {
    const isCommented = /^\/[/*]/.test(rest.slice(comma[0].length));
    return isCommented ? undefined : { start: span.start, end: span.end + comma[0].length };
  }
  const length = endsList(rest);
  if (length === undefined || !beginsStatement(text.slice(0, keyword.index), keyword[1] ?? '')) return undefined;
  return { start: keyword.index, end: span.end + length };
}

/** Returns the length of the end of a statement, which may be 0; `undefined` if it does not end there. */
function endsList(rest: string): number | undefined {
  const blank = inlineSpace.exec(rest)?.[0].length ?? 0;
  const next = rest[blank];
  if (next === ';') return blank + 1;
  if (next === undefined || next === '}') return 0;
  if (next !== '\n' && !rest.startsWith('//', blank)) return undefined;
  // Without a semicolon: not before an operator, a further declarator or the rest of a loop's head.
  const following = rest.slice(spaceAndComments.exec(rest)?.[0].length ?? 0);
  return following === '' || /^(?!of\b|in\b)[\p{L}_$@}'"]/u.test(following) ? 0 : undefined;
}

/** True if a statement may be removed after `before`: `if (x) var y = 1;` would otherwise lose its body. */
function beginsStatement(before: string, keyword: string): boolean {
  const [, last = ''] = /(\S*)\s*$/.exec(before) ?? [];
  const isOwnLine = /(?:^|\n)[ \t]*$/.test(before);
  if (!isOwnLine && !/[;{}]$/.test(last)) return false;
  if (last.endsWith('(')) return false;
  return keyword !== 'var' || !/(?:\)|\belse|\bdo)$/.test(last);
}

/** Returns the declaration before the comma that precedes `span`. */
function previousInList(text: string, span: OffsetSpan, siblings: readonly OffsetSpan[]): OffsetSpan | undefined {
  return siblings.find(({ end }) => end < span.start && /^\s*,\s*$/.test(text.slice(end, span.start)));
}

/** True if a declaration and those before it in its list follow `const`, `let` or `var`, not a bracket. */
function isInDeclaration(text: string, first: OffsetSpan, siblings: readonly OffsetSpan[]): boolean {
  let at: OffsetSpan | undefined = first;
  while (at !== undefined) {
    if (keywordBefore.test(text.slice(0, at.start))) return true;
    at = previousInList(text, at, siblings);
  }
  return false;
}

function enumMember(text: string, { span, siblings }: PartialDeclaration): OffsetSpan | { reason: string } | undefined {
  const ordered = siblings.toSorted((a, b) => a.start - b.start);
  const next = ordered.find(({ start }) => start >= span.end);
  if (next === undefined) {
    const previous = ordered.findLast(({ end }) => end <= span.start);
    const between = previous === undefined ? '' : text.slice(previous.end, span.start);
    if (previous !== undefined && /^[ \t]*,[ \t]*$/.test(between)) return { start: previous.end, end: span.end };
    const comma = /^\s*,/.exec(text.slice(span.end));
    return { start: span.start, end: span.end + (comma?.[0].length ?? 0) };
  }
  if (!initialized.test(text.slice(next.start, next.end))) {
    return { reason: 'the values of the members below it depend on its position' };
  }
  const comma = /^\s*,(?:[ \t]*(?=\S))?/.exec(text.slice(span.end, next.start + 1));
  return comma === null ? undefined : { start: span.start, end: span.end + comma[0].length };
}
