import type { Lexis } from '../languages/language-profile.ts';
import { profileOf } from '../languages/profiles.ts';

interface IdentifierOccurrence {
  /** In UTF-16 code units. */
  readonly offset: number;
  /** In UTF-16 code units, if Unicode escapes make it longer than the name. */
  readonly length?: number;
  /** The qualifier before it, such as `self.` or `io::`, without whitespace; empty for a bare name. */
  readonly qualifier: string;
  /** The other name that an import gives it, with its offset. */
  readonly alias?: { readonly offset: number; readonly name: string };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The parts of a text that are not code, in order: the start and the end of each, as offsets. */
export type InertSpans = Uint32Array;

interface NameQuery {
  readonly name: string;
  /** True to find the name also as part of an identifier. */
  readonly isPart?: boolean;
  /** Returns the spans that an earlier search of the same text found, otherwise those of `find`. */
  readonly known?: ((find: () => InertSpans) => InertSpans) | undefined;
}

const wordCharacter = /[\p{L}\p{N}_]/u;
/** Of a longer qualifier, only this many characters at its end are used. */
const maxQualifierChars = 60;
const qualifierAtEnd = /(?:[\p{L}\p{N}_$@]+|[)\]])?\s*(?:\?\.|\.|->|::)\s*$/u;

const compiled = new Map<Lexis, RegExp>();

/**
 * Finds the occurrences of `name` in code as a whole identifier or, with `isPart`, as part of a longer one, in
 * ascending order. Comments and strings are excluded according to the syntax of the language (an LSP id); code inside
 * template strings counts.
 *
 * In case of doubt, text counts as code. In an unknown language every occurrence counts.
 */
export function identifierOccurrences(text: string, query: NameQuery, language: string): IdentifierOccurrence[] {
  const lexis = profileOf(language)?.lexis;
  if (lexis?.hasUnicodeEscapes !== true || !text.includes('\\u')) return occurrencesIn(text, query, lexis);
  const unescaped = withoutUnicodeEscapes(text);
  return occurrencesIn(unescaped.text, query, lexis).map((found) => {
    const offset = unescaped.originalOffset(found.offset);
    const length = unescaped.originalOffset(found.offset + query.name.length) - offset;
    return { ...found, offset, ...(length > query.name.length && { length }) };
  });
}

function occurrencesIn(
  text: string,
  { name, isPart = false, known }: NameQuery,
  lexis: Lexis | undefined,
): IdentifierOccurrence[] {
  const offsets = offsetsOf(text, name, isPart);
  const last = offsets.at(-1);
  if (last === undefined) return [];
  const find = (end: number) => (lexis === undefined ? new Uint32Array() : inertSpans(text, lexis, end));
  const inert = known?.(() => find(text.length)) ?? find(last);
  let next = 0;
  return offsets.flatMap((offset) => {
    while ((inert[next + 1] ?? Number.POSITIVE_INFINITY) <= offset) next += 2;
    if ((inert[next] ?? Number.POSITIVE_INFINITY) <= offset) return [];
    const alias = aliasAfter(text, offset, name.length);
    return [{ offset, qualifier: qualifierBefore(text, offset), ...(alias && { alias }) }];
  });
}

/** Matches the alias after the name in `import x as y` and `use m::{x as y}`. */
const aliasAtStart = /^\s+as\s+([\p{L}_][\p{L}\p{N}_]*)/u;
/**
 * Matches the text before an imported name: an import statement that has not ended, possibly with an open bracket. Of
 * statements with `export`, those that list names: declarations contain code.
 */
const importAtEnd =
  /(?:^|[\n;])[ \t]*(?:pub\b[^\n]*|from\s[^\n]*)?\b(?:import|use|export(?=\s*(?:type\s*)?[{*]|\s+default\s*$))\b[^\n({;]*(?:[({][^)};]*)?$/u;
const maxImportChars = 4_000;

function aliasAfter(text: string, offset: number, length: number): IdentifierOccurrence['alias'] {
  const end = offset + length;
  const found = aliasAtStart.exec(text.slice(end, end + 200));
  if (found === null || !isInImport(text, offset)) return undefined;
  const [all, name = ''] = found;
  return { offset: end + all.length - name.length, name };
}

/** True if the offset is among the names of an import, `use` or export statement. */
export function isInImport(text: string, offset: number): boolean {
  return importAtEnd.test(text.slice(Math.max(0, offset - maxImportChars), offset));
}

function offsetsOf(text: string, name: string, isPart: boolean): number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + name.length] ?? ' ';
    if (isPart || (!wordCharacter.test(before) && !wordCharacter.test(after))) offsets.push(at);
  }
  return offsets;
}

/** Returns the qualifier before the identifier at an offset; see {@link IdentifierOccurrence.qualifier}. */
export function qualifierBefore(text: string, offset: number): string {
  const found = qualifierAtEnd.exec(text.slice(Math.max(0, offset - maxQualifierChars), offset));
  return found === null ? '' : found[0].replace(/\s+/g, '');
}

/** Returns the comments of a text in a language (an LSP id), in order. */
export function commentsIn(text: string, language: string): Span[] {
  const { lexis, attached } = profileOf(language) ?? {};
  if (lexis === undefined || attached === undefined) return [];
  const spans: Span[] = [];
  const inert = inertSpans(text, lexis, text.length);
  for (let index = 0; index < inert.length; index += 2) {
    const [start = 0, end = 0] = inert.subarray(index, index + 2);
    const beginsBlock = attached.block !== undefined && text.startsWith(attached.block[0], start);
    if (beginsBlock || attached.line?.test(text.slice(start, end)) === true) spans.push({ start, end });
  }
  return spans;
}

/** Returns the spans that are not code, at least up to the offset `last`. */
function inertSpans(text: string, lexis: Lexis, last: number): InertSpans {
  const pattern = patternOf(lexis);
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const start = found.index;
    if (start > last) break;
    const [all] = found;
    // An empty match would be found again.
    if (all === '') pattern.lastIndex++;
    const isTemplate = found.groups?.template !== undefined;
    spans.push(...(isTemplate ? outsideHoles(all, start, lexis) : [{ start, end: start + all.length }]));
  }
  return Uint32Array.from(spans.flatMap(({ start, end }) => [start, end]));
}

function outsideHoles(template: string, start: number, { holes }: Lexis): Span[] {
  if (holes === undefined) return [{ start, end: start + template.length }];
  const spans: Span[] = [];
  let from = 0;
  for (const hole of template.matchAll(holes)) {
    spans.push({ start: start + from, end: start + hole.index });
    from = hole.index + hole[0].length;
  }
  return [...spans, { start: start + from, end: start + template.length }];
}

function patternOf(lexis: Lexis): RegExp {
  const known = compiled.get(lexis);
  if (known) return known;
  const { inert, templates = [] } = lexis;
  // Templates first: after the prefix of `f"…"` an ordinary string would match.
  const parts = [...(templates.length > 0 ? [`(?<template>${templates.join('|')})`] : []), `(?:${inert.join('|')})`];
  const pattern = new RegExp(parts.join('|'), 'g');
  compiled.set(lexis, pattern);
  return pattern;
}

/**
 * Returns why `name` is not a valid name of a symbol in a language (an LSP id), as the end of a sentence that begins
 * with the name; `undefined` if it is valid. For languages without rules, only whitespace and control characters are
 * invalid.
 */
export function nameProblem(name: string, languageId: string): string | undefined {
  const known = profileOf(languageId)?.names;
  if (/[\s\p{Cc}]/u.test(name) && known?.pattern.test(name) !== true)
    return 'contains whitespace or a control character';
  if (known === undefined) return undefined;
  if (known.reserved.split(/\s+/).includes(name)) return `is a reserved word in ${known.language}`;
  return known.pattern.test(name) ? undefined : `is not a valid identifier in ${known.language}`;
}

/** Type arguments in `<>`, `::<>` or `[]`, or the sign of a macro, between the name of a function and its arguments. */
const callAfter = /^\s*(?:!|\?\.|(?:::|\.)?<[^<>(){};]*(?:<[^<>(){};]*>[^<>(){};]*)*>|\[[^\][(){};]*\])?\s*\(/u;
const maxTypeChars = 300;

/** True if arguments in parentheses follow the name that ends at `offset`. */
export function isCalledAt(text: string, offset: number): boolean {
  return callAfter.test(text.slice(offset, offset + maxTypeChars));
}

/** A text without Unicode escapes, and the way back to the text that has them. */
interface Unescaped {
  readonly text: string;
  /** Returns the offset in the original text of an offset in the new one, both in UTF-16 code units. */
  readonly originalOffset: (offset: number) => number;
}

/** Pairs of `\` and a character, so that the second of two backslashes does not begin an escape. */
const escapes = /\\(?:u+(?<code>[\da-fA-F]{4})|[\s\S])/g;

/**
 * Replaces the Unicode escapes of Java (`\u0041`), which its compiler replaces before it looks for comments, strings and
 * names.
 */
export function withoutUnicodeEscapes(text: string): Unescaped {
  /** Offsets in the new text of the replaced characters, each with the original offset behind its escape. */
  const replaced: { readonly at: number; readonly end: number }[] = [];
  let shift = 0;
  const unescaped = text.replace(escapes, (pair: string, code: string | undefined, offset: number) => {
    if (code === undefined) return pair;
    replaced.push({ at: offset - shift, end: offset + pair.length });
    shift += pair.length - 1;
    return String.fromCharCode(Number.parseInt(code, 16));
  });
  const originalOffset = (offset: number): number => {
    const last = replaced.findLast(({ at }) => at < offset);
    return last === undefined ? offset : last.end + (offset - last.at - 1);
  };
  return { text: unescaped, originalOffset };
}

/**
 * Returns texts of which a file contains at least one if it contains a name whose characters are in part written as
 * Unicode escapes.
 */
export function escapedForms(name: string): string[] {
  return /^[\0-\x7f]*$/.test(name) ? [String.raw`\u00`, String.raw`\uu`] : [String.raw`\u`];
}
