import { basename, dirname, extname } from 'node:path/posix';
import { counted } from '../../base/counted.ts';
import { isExpected, messageOf } from '../../base/errors.ts';
import type { Gap } from '../../base/gap.ts';
import type { Edits } from '../../edits/edits.ts';
import { profileOf } from '../../languages/profiles.ts';
import type { SearchQuery } from '../../search/scan-protocol.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { commentsIn } from '../../text/identifiers.ts';
import { comparePlaces, keyAt, type Place, placeAt, placeKey } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { isCallable, isTypeKind } from '../model/kinds.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';
import { textSearch } from '../model/text-search.ts';
import { openPlaces } from '../queries/report-open.ts';
import { type ExampleAt, exampleSyntaxOf, examplesOf } from './examples.ts';

/** A symbol whose name is searched for. */
interface NamedSymbol {
  readonly active: ActiveServer;
  readonly symbol: SymbolNode;
  /** The name as written in its file. */
  readonly name: string;
  /** True if a string that is only the name is a mention at least. False in renames, where that of a type may be a use. */
  readonly inStrings: boolean;
}

/** More mentions would cost the reader more than they are worth. */
const maxMentions = 10;
/** Files that are read; those of a distinctive name are few. */
const maxFiles = 200;

/** Documents, whose code blocks count. */
const documents = ['.md', '.mdx', '.markdown', '.rst', '.adoc', '.asciidoc', '.txt'];

/** Files that nobody adapts to a new name: histories, copies of other projects, generated and minified files. */
const skipped = new RegExp(
  [
    '(?:^|/)(?:change(?:s|log)?|history|news|releases?(?:[-_. ]?notes)?|authors|pkg-info|sources)(?:[-_.][^/]*)?(?:\\.\\w+)?$',
    '(?:^|/)(?:change(?:s|logs?)|release[-_]?notes|releases|vendor(?:ed)?|third[-_]party|node_modules|bower_components|dist|build)/',
    '\\.egg-info/',
    '[.-]min\\.\\w+$',
    '\\.(?:map|lock|svg|po|pot|snap|csv|ipynb)$',
    '(?:^|/)[^/]*[-.]lock\\.\\w+$',
  ].join('|'),
  'i',
);

/** Ranks of mentions; the lower ones are shown first. */
const ranks: Readonly<Record<'qualified' | 'document' | 'text', number>> = { qualified: 0, document: 1, text: 2 };

interface Ranked extends Place {
  readonly rank: number;
  readonly mayBeUse: boolean;
  /** True in an example that tools run as a test. */
  readonly isTested: boolean;
}

/** Where text outside code names a symbol. */
export interface Mentions {
  /** Strings by which code may use the symbol: its name alone, a path that ends in it, or an expression of a template. */
  readonly uses: readonly Place[];
  /** Examples that tools run as tests, such as `>>> total(1)` in Python. */
  readonly tests: readonly Place[];
  /** Others; at most ten, the most important ones first. */
  readonly mentions: readonly Place[];
}

export const whyStringIsUse = 'a string has its name, and code may use it by that';

export const whyTestIsUse = 'an example in documentation, which tools run as a test, has its name';

/**
 * Returns where text outside code names a symbol: qualified by its type or module, as code in documents, and in comments
 * and strings if the name is no usual word. Changelogs, vendored and minified files are skipped, and places that `edits`
 * change. A failed search becomes a note, because it must not fail the edit.
 */
export async function findMentions(
  scope: SymbolScope,
  edits: Edits | undefined,
  named: NamedSymbol,
  notes: string[],
): Promise<Mentions> {
  try {
    const all = await outsideCode(scope, named, await candidateFiles(scope, named));
    const found = all.filter((place) => edits === undefined || !isEdited(edits, place));
    found.sort((a, b) => a.rank - b.rank || comparePlaces(a, b));
    const mentions = found.filter(({ mayBeUse, isTested }) => !mayBeUse && !isTested).slice(0, maxMentions);
    const tests = found.filter(({ isTested }) => isTested);
    return { uses: found.filter(({ mayBeUse, isTested }) => mayBeUse && !isTested), tests, mentions };
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!isExpected(error)) throw error;
    notes.push(`The project could not be searched for mentions of \`${named.name}\`: ${messageOf(error)}`);
    return { uses: [], tests: [], mentions: [] };
  }
}

/**
 * Returns the strings by which code may use a symbol, sorted by file and position; see {@link Mentions.uses}.
 *
 * @throws {ExpectedError} `search.too-slow`.
 */
export async function findUsesByName(scope: SymbolScope, named: NamedSymbol): Promise<Place[]> {
  if (isLocal(named)) return [];
  const name = escaped(named.name);
  const pattern = `['"\`](?:[\\w$./:-]*[.:])?${name}['"\`]|${inTemplate(named)}`;
  const files = await filesWith(scope, named, { pattern });
  const found = await outsideCode(
    scope,
    named,
    files.filter((file) => !isReadElsewhere(scope, named, file)),
  );
  return found.filter(({ mayBeUse }) => mayBeUse).sort(comparePlaces);
}

/** True for files whose uses another server finds: Angular's templates have those of classes in TypeScript. */
function isReadElsewhere({ files }: SymbolScope, { active: { spec } }: NamedSymbol, file: string): boolean {
  const server = spec.referencesMissingFrom?.[extname(file)];
  return server !== undefined && files.sources.serverOf(file)?.spec.id === server;
}

/** Returns the gap of an answer that does not know whether code uses a symbol by some strings. */
export function usesByNameGap(scope: SymbolScope, strings: readonly Place[]): Gap {
  const places = openPlaces(
    scope,
    strings.map((place) => ({ ...place, reason: whyStringIsUse })),
  );
  const reason = counted(strings.length, 'string names it', 'strings name it');
  return { missing: 'Uses by name may be missing', reason, next: 'Check each of these lines', places };
}

/** True if an edit changes a place. */
export function isEdited(edits: Edits, { file, range }: Place): boolean {
  const draft = edits.planned(file)?.draft;
  const span = draft && spanOf(draft.lines, range);
  return span !== undefined && draft?.isEdited(span.start, span.end) === true;
}

async function outsideCode(scope: SymbolScope, named: NamedSymbol, files: readonly string[]): Promise<Ranked[]> {
  if (files.length === 0) return [];
  const inCode = await codeKeys(scope, named);
  const exampleIn = await examplesOf(scope, { ...named, isUsual: isUsualWord(named.name) });
  return files.slice(0, maxFiles).flatMap((file) => {
    const lines = readable(scope, file);
    if (lines === undefined) return [];
    const all = mentionsIn(file, lines, { ...named, exampleAt: exampleIn(file, lines) });
    const found = all.filter((place) => !inCode.has(placeKey(place)));
    return found.some(({ mayBeUse }) => mayBeUse) ? withoutCommentedUses(scope, { file, lines, found }) : found;
  });
}

/** Returns mentions in a file; those in comments are no uses. */
function withoutCommentedUses(
  scope: SymbolScope,
  { file, lines, found }: { file: string; lines: TextLines; found: readonly Ranked[] },
): Ranked[] {
  const active = scope.files.sources.serverOf(file);
  const comments = active === undefined ? [] : commentsIn(lines.text, languageIdOf(active.spec, file) ?? '');
  const isInComment = ({ range }: Place) => {
    const span = spanOf(lines, range);
    return span !== undefined && comments.some(({ start, end }) => start <= span.start && span.end <= end);
  };
  return found.map((one) => ({ ...one, mayBeUse: one.mayBeUse && !isInComment(one) }));
}

async function codeKeys(scope: SymbolScope, { active, name }: NamedSymbol): Promise<ReadonlySet<string>> {
  const found = await textSearch(scope, { active, name })?.();
  return new Set(found?.files.flatMap(({ path, places }) => places.map((start) => keyAt(path, start))));
}

async function candidateFiles(scope: SymbolScope, named: NamedSymbol): Promise<string[]> {
  const word = wordOf(named.name);
  const { active, symbol } = named;
  const { run } = exampleSyntaxOf(active, symbol.file) ?? {};
  const inExamples = run === undefined ? [] : [`${run}.*${word}`];
  const unmarked = isUsualWord(named.name) ? inExamples : [word];
  const anywhere = [qualifiedOf(named), `\`[^\`\\n]*${word}`, ...unmarked];
  const pattern = [...anywhere, `['"]${escaped(named.name)}['"]`, inTemplate(named)].join('|');
  const everywhere = await filesWith(scope, named, { pattern });
  const inDocuments = await filesWith(scope, named, { pattern: word, extensions: documents });
  // Among the others may be uses, which come before mentions.
  return [...new Set([symbol.file, ...everywhere, ...inDocuments])];
}

/** True for files of prose. */
export function isDocument(file: string): boolean {
  return documents.includes(extname(file).toLowerCase());
}

/** Returns the files with a match of a pattern, without those that nobody adapts. */
async function filesWith(
  scope: SymbolScope,
  { active }: NamedSymbol,
  of: Pick<SearchQuery, 'pattern' | 'extensions'>,
): Promise<string[]> {
  const pruneDirectories = scope.files.sources.prunedFor(active);
  const query = { multiline: false, contextBefore: 0, contextAfter: 0, maxChars: 1, pruneDirectories, ...of };
  const { files } = await scope.files.project.scanner.search(query, scope.call.signal);
  return files.map(({ path }) => path).filter((path) => !skipped.test(path));
}

function inTemplate({ name }: NamedSymbol): string {
  return `\\{\\{[^\\n]*\\.${wordOf(name)}`;
}

function mentionsIn(
  file: string,
  { text, starts }: TextLines,
  named: NamedSymbol & { readonly exampleAt: ExampleAt },
): Ranked[] {
  const { name, exampleAt } = named;
  const inDocument = isDocument(file);
  const namingStrings = profileOf(languageIdOf(named.active.spec, file) ?? '')?.namingStrings;
  const isCode = inDocument ? codeOfDocument(text) : () => false;
  const isSpan = spansIn(text, name);
  const qualified = new RegExp(qualifiedOf(named), 'gu');
  const byQualifier = new Set(Array.from(text.matchAll(qualified), (one) => one.index + one[0].length - name.length));
  return Array.from(text.matchAll(new RegExp(wordOf(name), 'gu'))).flatMap(({ index: start }) => {
    const isQualified = byQualifier.has(start);
    const string = inDocument || isLocal(named) ? undefined : stringAt(text, start, { name, namingStrings });
    // Code reads the names of types, which a rename changes: `type(value).__name__ == "File"`.
    const isUsual = isUsualWord(name) && (named.inStrings || !isTypeKind(named.symbol.kind));
    const mayBeUse = string !== undefined && isUse(string, { isQualified, isUsual });
    const place = placeAt(file, positionAt(text, starts, start), name.length);
    const example = isLocal(named) ? undefined : exampleAt(start, isQualified);
    const found = { ...place, mayBeUse, isTested: example === 'tested' };
    if (isQualified) return [{ ...found, rank: ranks.qualified }];
    const isInBlock =
      isCode(start) && (!isUsualWord(name) || isTypeKind(named.symbol.kind) || isApplied(text, start, name));
    if (isInBlock || isSpan(start) || example !== undefined) return [{ ...found, rank: ranks.document }];
    const counts = mayBeUse || !isUsualWord(name) || (named.inStrings && string !== undefined);
    return counts ? [{ ...found, rank: ranks.text }] : [];
  });
}

/** True if code may use a symbol by a string with its name. */
function isUse(string: NamingString, { isQualified, isUsual }: { isQualified: boolean; isUsual: boolean }): boolean {
  if (string === 'path') return isQualified;
  return string !== 'name' || isQualified || !isUsual;
}

/** Nothing outside uses what is declared in a function. */
function isLocal({ symbol: { parent } }: NamedSymbol): boolean {
  return parent !== undefined && isCallable(parent);
}

/** A string at a name: the name alone, that as an argument of a call like `getattr`, a path or an expression of a template. */
type NamingString = 'name' | 'reflective' | 'path' | 'template';

/** A call whose argument names a member, by the words of which its name consists in all languages. */
const reflectiveCall =
  /(?:attr|patch|method|field|propert|member|reflect|spy|stub|mock)\w*(?:\.\w+)?\s*\((?:[^()]*,\s*)?['"]$/i;

function stringAt(
  text: string,
  start: number,
  { name, namingStrings }: { name: string; namingStrings: RegExp | undefined },
): NamingString | undefined {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (/\{\{(?:(?!\}\}).)*\.$/.test(line)) return 'template';
  const [, quote, path] = /(['"`])([\w$./:-]*[.:])?$/.exec(line) ?? [];
  if (quote === undefined || text[start + name.length] !== quote) return undefined;
  if (path !== undefined) return 'path';
  if (quote === '`') return undefined;
  const names =
    namingStrings?.test(line) === true || reflectiveCall.test(text.slice(Math.max(0, start - maxSpan), start));
  return names ? 'reflective' : 'name';
}

/** True if a name is that of a member, or is called: in blocks of code are command lines and prose, too. */
function isApplied(text: string, start: number, name: string): boolean {
  return /[.#>]$|::$/.test(text.slice(Math.max(0, start - 2), start)) || text[start + name.length] === '(';
}

/** True for a word that prose uses too: it counts only where it is written as code. */
function isUsualWord(name: string): boolean {
  return /^\p{L}\p{Ll}*$/u.test(name);
}

/** Returns a test for offsets in inline code that is no prose: a word, a member, or a call. */
function spansIn(text: string, name: string): (offset: number) => boolean {
  return (offset) => {
    const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
    const [line = ''] = /^.*/.exec(text.slice(lineStart, offset + maxSpan)) ?? [];
    const at = offset - lineStart;
    return Array.from(line.matchAll(/(`+)([^`]+)\1/g)).some(({ index, 0: { length }, 2: code = '' }) => {
      if (at < index || index + length < at) return false;
      return !/\s/.test(code) || line[at - 1] === '.' || line[at + name.length] === '(';
    });
  };
}

/** Longer code spans are not looked for. */
const maxSpan = 500;

/** What follows such a line of reStructuredText is code, if it is indented: prose follows other directives. */
const opensLiteral =
  /^(?!\s*\.\. ).*::\s*$|^\s*\.\. (?:code|code-block|sourcecode|doctest|testcode|prompt|parsed-literal)::/;

/** Returns a test for offsets in blocks of code: between fences, or indented below a line that announces code. */
function codeOfDocument(text: string): (offset: number) => boolean {
  const spans: { start: number; end: number }[] = [];
  let offset = 0;
  let isFenced = false;
  let literal: number | undefined;
  for (const line of text.split('\n')) {
    const indent = /\S/.exec(line)?.index;
    if (/^\s*(?:```|~~~|----$)/.test(line)) isFenced = !isFenced;
    else if (literal !== undefined && indent !== undefined && indent <= literal) literal = undefined;
    if (isFenced || literal !== undefined) spans.push({ start: offset, end: offset + line.length });
    if (literal === undefined && indent !== undefined && opensLiteral.test(line)) literal = indent;
    offset += line.length + 1;
  }
  return (at) => spans.some(({ start, end }) => start <= at && at < end);
}

/** Returns a pattern for the name behind the name of its type, or of its module or package. */
function qualifiedOf({ symbol, name }: NamedSymbol): string {
  const { file, parent } = symbol;
  const owners = parent ? [parent.name] : [basename(file).replace(/\..*$/, ''), basename(dirname(file))];
  const usable = owners.filter((owner) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(owner));
  if (usable.length === 0) return '(?!)';
  return `${wordStart}(?:${usable.map(escaped).join('|')})(?:\\(\\))?(?:\\.|::|#|->)${escaped(name)}${wordEnd}`;
}

/** Both regex languages that read these count letters beyond ASCII as no part of a word, or as one; names rarely adjoin them. */
const wordStart = '(?<![A-Za-z0-9_$])';
const wordEnd = '(?![A-Za-z0-9_$])';

function wordOf(name: string): string {
  return `${wordStart}${escaped(name)}${wordEnd}`;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
