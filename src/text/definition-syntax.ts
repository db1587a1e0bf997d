import type { AttachedSyntax } from '../languages/language-profile.ts';
import { profileOf } from '../languages/profiles.ts';
import { identifierOccurrences } from './identifiers.ts';
import type { TextLines } from './text-lines.ts';

/** A longer attribute is not one: rather, an earlier bracket is not closed. */
const maxAnnotationLines = 100;

/** Comments that belong to the whole file: a shebang, Python's encoding declaration. */
const ofWholeFile = /^(?:#!|#.*\bcoding[:=])/;

/**
 * Returns the first of the lines that belong to the definition at `line`: its comments, decorators and attributes
 * directly above it, without an empty line in between, in the syntax of the language (an LSP id). `line` itself if
 * there are none.
 */
export function firstAttachedLine(lines: TextLines, line: number, languageId: string): number {
  const above = profileOf(languageId)?.attached;
  if (above === undefined) return line;
  const textOf = (at: number) => lineAt(lines, at);
  const indent = /^[ \t]*/.exec(textOf(line))?.[0] ?? '';
  for (let first = line; ; ) {
    const start = startOfAttached(above, first - 1, textOf);
    if (start === undefined || /^[ \t]*/.exec(textOf(start))?.[0] !== indent) return first;
    first = start;
  }
}

/** Returns the first line of the comment, decorator or attribute that ends on line `last`, or `undefined`. */
function startOfAttached(
  { line, block, annotation }: AttachedSyntax,
  last: number,
  textOf: (at: number) => string,
): number | undefined {
  const text = last < 0 ? '' : textOf(last).trim();
  if (text === '' || (last < 2 && ofWholeFile.test(text))) return undefined;
  if (line?.test(text)) return last;
  if (block !== undefined && text.endsWith(block[1])) return startOfBlock(block, last, textOf);
  return annotation === undefined ? undefined : startOfAnnotation(annotation, last, textOf);
}

function startOfBlock(
  [begin]: readonly [string, string],
  last: number,
  textOf: (at: number) => string,
): number | undefined {
  for (let at = last; at >= 0; at--) {
    const text = textOf(at);
    // A comment after code on the same line belongs to that code.
    if (text.includes(begin)) return text.trim().startsWith(begin) ? at : undefined;
  }
  return undefined;
}

/**
 * Searches upwards for the line where brackets are balanced or, for a multi-line string, for the line that opens it.
 */
function startOfAnnotation(annotation: RegExp, last: number, textOf: (at: number) => string): number | undefined {
  const isText = textOf(last).trim() === '"""';
  let open = 0;
  for (let at = last; at >= Math.max(0, last - maxAnnotationLines); at--) {
    const text = textOf(at).trim();
    open += text.replace(/[^)\]}]/g, '').length - text.replace(/[^([{]/g, '').length;
    const isStart = isText ? at < last && text.endsWith('"""') : open <= 0;
    if (isStart) return open <= 0 && annotation.test(text) && (at < last || !/[;{]$/.test(text)) ? at : undefined;
    if (text === '' && !isText) return undefined;
  }
  return undefined;
}

function lineAt({ text, starts }: TextLines, line: number): string {
  return text.slice(starts[line] ?? text.length, starts[line + 1] ?? text.length).replace(/^\ufeff|[\r\n]+$/g, '');
}

interface OverridingMark {
  readonly written: string;
  /** Matches the compiler's message that the declaration overrides nothing. */
  readonly absent: RegExp;
}

/** Offsets of a declaration in its text; `start` is that of the first annotation or modifier. */
export interface DeclarationOffsets {
  readonly start: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly end: number;
}

/**
 * Returns what marks a declaration as overriding or implementing a member of another type; `undefined` if nothing does,
 * and in languages without such marks. `language` is an LSP id, `parent` the name of the symbol around it.
 */
export function overridingMark(
  text: string,
  { start, nameStart, nameEnd, end }: DeclarationOffsets,
  { language, parent }: { readonly language: string; readonly parent: string | undefined },
): OverridingMark | undefined {
  const syntax = profileOf(language)?.overriding;
  if (syntax === undefined) return undefined;
  const { word, before, isBehind, absent } = syntax;
  if (parent !== undefined && syntax.parent?.test(parent)) return { written: parent, absent };
  if (word === undefined) return undefined;
  const head = isBehind ? text.slice(nameEnd, endOfHead(text, nameEnd, end)) : text.slice(start, nameStart);
  for (const { offset } of identifierOccurrences(head, { name: word }, language)) {
    const prefix = before === undefined ? '' : before.exec(head.slice(0, offset))?.[0];
    if (prefix !== undefined) return { written: `${prefix}${word}${prefix.startsWith('#[') ? ']' : ''}`, absent };
  }
  return undefined;
}

/**
 * Returns a text with the mark that a declaration may have and lacks, and the offset of the mark's word; `undefined` in
 * languages in which the mark is never written or always.
 */
export function withOverridingMark(
  text: string,
  { start, nameEnd, end }: DeclarationOffsets,
  language: string,
): { readonly text: string; readonly wordAt: number; readonly isBehind: boolean } | undefined {
  const { word, optional, isBehind = false } = profileOf(language)?.overriding ?? {};
  if (word === undefined || optional === undefined) return undefined;
  const head = isBehind ? endOfHead(text, nameEnd, end) : start;
  // `= 0` and `= default` follow the mark.
  const assigned = isBehind ? text.slice(nameEnd, head).search(/=\s*(?:0|default|delete)\s*$/) : -1;
  const at = assigned < 0 ? head : nameEnd + assigned;
  return { text: text.slice(0, at) + optional + text.slice(at), wordAt: at + optional.indexOf(word), isBehind };
}

/** Returns the offset of the body or of the end of a declaration, after its parameters. */
function endOfHead(text: string, from: number, end: number): number {
  let depth = 0;
  for (let at = from; at < end; at++) {
    const character = text[at] ?? '';
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (depth === 0 && /[{;]/.test(character)) return at;
  }
  return end;
}

/**
 * Returns, as a clause, what calls the members of a type, or the functions of a module, that have a name, although no code
 * names them; `undefined` if nothing does. `language` is an LSP id, `rest` the text behind the name.
 */
export function implicitCall(
  language: string,
  { name, isMember }: { readonly name: string; readonly isMember: boolean },
  rest: string,
): string | undefined {
  const found = profileOf(language)?.implicitCalls?.find(
    (one) => (one.isOfModule !== true) === isMember && one.name.test(name) && one.rest?.test(rest) !== false,
  );
  if (found === undefined) return undefined;
  return `${isMember ? 'members of this name' : 'functions of this name in a module'} are called by ${found.caller}`;
}

/**
 * Returns the text that must take the place of whole lines (offsets) that are deleted, with its line break and the empty
 * lines at their end: `pass` if their block would have no statement without them; otherwise `''`.
 */
export function textLeftBehind(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  language: string,
): string {
  const filler = profileOf(language)?.emptyBlock;
  const deleted = text.slice(start, end);
  const indentation = /^[ \t]*/.exec(deleted)?.[0] ?? '';
  if (filler === undefined || indentation === '' || (start > 0 && text[start - 1] !== '\n')) return '';
  const above = statementLines(text.slice(0, start)).at(-1) ?? '';
  const isHeader = /:[ \t]*(?:#.*)?$/.test(above) && indentationOf(above) < indentation.length;
  const [below] = statementLines(text.slice(end));
  if (!isHeader || (below !== undefined && indentationOf(below) >= indentation.length)) return '';
  const ending = /\n(?:[ \t]*\n)*$/.exec(deleted)?.[0] ?? '';
  return `${indentation}${filler}${ending}`;
}

/** Returns the lines that are neither empty nor a comment. */
function statementLines(text: string): string[] {
  return text.split('\n').filter((line) => /^[ \t]*[^\s#]/.test(line));
}

function indentationOf(line: string): number {
  return line.length - line.trimStart().length;
}

interface HeaderName {
  readonly name: string;
  readonly offset: number;
}

const token = /(?<name>[\p{L}_$][\p{L}\p{N}_$]*)|(?<open>[([{<])|(?<close>[)\]}>])|(?<end>[;\n])/gu;
const keywords: ReadonlySet<string> = new Set([
  ...[
    'class',
    'interface',
    'struct',
    'enum',
    'trait',
    'impl',
    'unsafe',
    'extends',
    'implements',
    'with',
    'for',
    'where',
  ],
  ...['public', 'protected', 'private', 'virtual', 'dyn', 'const', 'permits', 'sealed', 'final', 'abstract'],
]);
const maxHeaderChars = 4_000;

/**
 * Returns the names in the header of a type that begins at `start`, in its order: those between the type's name and its
 * body that are neither qualifiers nor in brackets. Classes of Python have their bases in parentheses; the arguments with
 * a name, such as `metaclass=`, are no bases.
 */
export function namesInHeader(
  text: string,
  start: number,
  { areInParentheses }: { areInParentheses: boolean },
): HeaderName[] {
  const baseDepth = areInParentheses ? 1 : 0;
  const names: HeaderName[] = [];
  let depth = 0;
  token.lastIndex = start;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const { name, open, close, end } = found.groups ?? {};
    if (found.index - start > maxHeaderChars || name === 'where') break;
    if (open === '{' && depth === 0) break;
    if (end !== undefined && isEnd(text, found.index, { end, depth })) break;
    // `->` closes nothing, and a Ruby class follows `<`.
    if (open !== undefined && !(open === '<' && text[found.index + 1] === ' ')) depth++;
    if (close !== undefined && text[found.index - 1] !== '-' && text[found.index - 1] !== '=') depth--;
    if (areInParentheses && depth <= 0 && close !== undefined) break;
    if (name === undefined || depth !== baseDepth || keywords.has(name)) continue;
    if (isBase(text, found.index, name)) names.push({ name, offset: found.index });
  }
  return names;
}

/** A statement ends a header outside brackets; a line does if its type has no body in braces. */
function isEnd(text: string, at: number, { end, depth }: { end: string; depth: number }): boolean {
  if (depth > 0) return false;
  if (end === ';') return true;
  return !/^\s*(?:[{:,&|+]|extends\b|implements\b|where\b|permits\b|for\b|\p{L}[^\n;=(]*\{)/u.test(
    text.slice(at, at + maxHeaderChars),
  );
}

function isBase(text: string, offset: number, name: string): boolean {
  const before = text.slice(Math.max(0, offset - 2), offset);
  const after = text.slice(offset + name.length, offset + name.length + 3);
  const isQualifier = /^(?:\.|::|\s?=)/.test(after);
  const isNamedArgument = /[^=<>!]=\s?$/.test(text.slice(Math.max(0, offset - 3), offset));
  return !isQualifier && !isNamedArgument && !before.endsWith("'");
}
