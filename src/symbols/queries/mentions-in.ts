import { mapConcurrently } from '../../base/concurrent.ts';
import { isExpected } from '../../base/errors.ts';
import type { GapPlace } from '../../base/gap.ts';
import { profileOf, type SyntaxLanguage } from '../../languages/profiles.ts';
import { languageIdOf } from '../../servers/spec.ts';
import type { Identifier } from '../../syntax/identifiers.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { isCalledAt, isInImport } from '../../text/identifiers.ts';
import { comparePositions, type Place, type Range } from '../../text/place.ts';
import { offsetAt, type Position, positionAt } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import { isCallable, kinds } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, type SymbolNode } from '../model/symbol.ts';
import { syntaxLanguageOf } from '../model/syntax-language.ts';
import { type DefinedName, definitionsOfNames } from './declaration.ts';
import { findImplementations } from './implementations.ts';
import { isTypeSymbol, typesInHeader } from './neighbors.ts';

/** What leads from one symbol to another one. */
export interface Mention {
  readonly symbol: SymbolNode;
  readonly file: string;
  /** 0-based. */
  readonly line: number;
  /** The line without the white space around it. */
  readonly text: string;
  /** `mentions`: the name is there without a call, as of a function that is passed as a value. */
  readonly how: 'calls' | 'mentions' | 'is overridden by' | 'creates with';
}

/** What the code of a symbol leads to. */
interface Mentions {
  readonly mentions: readonly Mention[];
  /** Calls whose target is unknown. */
  readonly open: readonly GapPlace[];
}

interface CodeName {
  readonly name: string;
  readonly start: Position;
  readonly isCall: boolean;
}

/** Names that are resolved in one symbol; each is a request. */
const maxNames = 1_000;

/**
 * Returns what the code of a symbol calls and mentions, in its order.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function mentionsIn(scope: SymbolScope, source: SymbolNode): Promise<Mentions> {
  if (isTypeSymbol(source)) return { mentions: await creations(scope, source), open: [] };
  return await mentionsInCode(scope, { ...source, range: codeRangeOf(scope, source) });
}

async function mentionsInCode(scope: SymbolScope, source: SymbolNode): Promise<Mentions> {
  const names = await namesIn(scope, source);
  if (names === undefined)
    return { mentions: [], open: [openAt(scope, source, source.selectionRange.start, 'the file cannot be parsed')] };
  const searched = names.slice(0, maxNames);
  const found = await definitionsOfNames(scope, source.file, searched);
  const mentions: Mention[] = [];
  const open: GapPlace[] = [];
  for (const [index, one] of found.entries()) {
    const isCall = searched[index]?.isCall === true;
    const why = isCall ? whyOpen(scope, source, one) : undefined;
    if (why !== undefined) open.push(openAt(scope, source, one.start, why));
    for (const symbol of one.symbols) {
      if (!isFollowed(source, symbol, { isCall, all: one.symbols })) continue;
      const how = isCall && (isCallable(symbol) || isTypeSymbol(symbol)) ? 'calls' : 'mentions';
      mentions.push({ symbol, ...lineAt(scope, source.file, one.start), how });
    }
  }
  for (const { start } of names.slice(maxNames))
    open.push(openAt(scope, source, start, 'the symbol has too many names'));
  return { mentions, open };
}

/** True if the code of `symbol` may run because the code of `source` mentions it. */
function isFollowed(
  source: SymbolNode,
  symbol: SymbolNode,
  { isCall, all }: { isCall: boolean; all: readonly SymbolNode[] },
): boolean {
  // What is defined in the symbol is a part of its code.
  if (isWithin(source, symbol.file, symbol.range.start)) return false;
  if (!isTypeSymbol(symbol)) return true;
  // Some servers return the class besides its constructor.
  return isCall && !all.some(({ parent }) => parent !== undefined && nameKey(parent) === nameKey(symbol));
}

const known = new WeakMap<TextLines, Promise<readonly Identifier[]>>();

/** Returns the identifiers in a text. A search reads many symbols of one file. */
function identifiersOf(language: SyntaxLanguage, lines: TextLines): Promise<readonly Identifier[]> {
  const identifiers = known.get(lines) ?? syntaxTrees.identifiers(language, lines.text);
  known.set(lines, identifiers);
  identifiers.catch(() => known.delete(lines));
  return identifiers;
}

/** Returns the identifiers in the code of a symbol behind its name; `undefined` if its file cannot be parsed. */
async function namesIn(scope: SymbolScope, source: SymbolNode): Promise<CodeName[] | undefined> {
  const language = syntaxLanguageOf(scope.files.sources.requireServer(source.file).spec, source.file);
  if (language === undefined) return undefined;
  const { text, starts } = scope.files.textOf(source.file);
  const identifiers = await identifiersOf(language, scope.files.textOf(source.file));
  return identifiers.flatMap(({ name, start }) => {
    const isOwn = comparePositions(start, source.selectionRange.end) < 0;
    const offset = offsetAt(text, starts, start);
    if (isOwn || offset === undefined || !isWithin(source, source.file, start)) return [];
    return isInImport(text, offset) ? [] : [{ name, start, isCall: isCalledAt(text, offset + name.length) }];
  });
}

/** A string, or a part of code that shows where a statement ends. */
const statementParts = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[([{]|[)\]}]|(?<!=\s*)[\n;]/g;

/** Returns the range of a symbol; of a variable for which the server reports its name, that through its value. */
function codeRangeOf({ files }: SymbolScope, { file, range, selectionRange }: SymbolNode): Range {
  if (comparePositions(range.end, selectionRange.end) > 0) return range;
  const { text, starts } = files.textOf(file);
  const from = offsetAt(text, starts, range.end) ?? text.length;
  let depth = 0;
  for (const { 0: part, index } of text.slice(from).matchAll(statementParts)) {
    if ('([{'.includes(part)) depth++;
    else if (')]}'.includes(part)) depth--;
    if (depth < 0 || (depth === 0 && (part === '\n' || part === ';')))
      return { start: range.start, end: positionAt(text, starts, from + index) };
  }
  return range;
}

function isWithin({ file, range }: SymbolNode, inFile: string, position: Position): boolean {
  const isBehind = comparePositions(range.start, position) <= 0;
  return file === inFile && isBehind && comparePositions(position, range.end) < 0;
}

/** Returns why the target of a call is unknown; `undefined` if it is known. */
function whyOpen(scope: SymbolScope, source: SymbolNode, { isDefined, places }: DefinedName): string | undefined {
  if (!isDefined) return 'the language server finds no definition of the name';
  const isValue = places.some((place) => isParameter(scope, source, place));
  return isValue ? 'the parameter may have any function as its value' : undefined;
}

/** True if a place is between the parentheses behind the name of a symbol. */
function isParameter({ files }: SymbolScope, source: SymbolNode, { file, range }: Place): boolean {
  if (!isWithin(source, file, range.start)) return false;
  const { text, starts } = files.textOf(file);
  const from = offsetAt(text, starts, source.selectionRange.end) ?? 0;
  const header = text.slice(from, offsetAt(text, starts, range.start) ?? from);
  return header.split('(').length > header.split(')').length;
}

function openAt(scope: SymbolScope, { file }: SymbolNode, { line }: Position, why: string): GapPlace {
  return { ...lineAt(scope, file, { line, character: 0 }), why };
}

/** Returns the line of a position, as an answer shows it. */
export function lineAt({ files }: SymbolScope, file: string, { line }: Position) {
  const { text, starts } = files.textOf(file);
  return { file, line, text: text.slice(starts[line], starts[line + 1]).trim() };
}

/** True if a member of a type runs when an instance is created. */
export function isCreatedWith({ files }: SymbolScope, { file }: SymbolNode, member: SymbolNode): boolean {
  const language = languageIdOf(files.sources.requireServer(file).spec, file) ?? '';
  const { implicitCalls = [] } = profileOf(language) ?? {};
  const isImplicit = member.kind === kinds.constructor || implicitCalls.some((one) => one.name.test(member.name));
  return isImplicit && isCallable(member);
}

/** Returns the members of a type that run when an instance is created, or the supertypes if they may have some. */
async function creations(scope: SymbolScope, type: SymbolNode): Promise<Mention[]> {
  const own = type.children.filter((child) => isCreatedWith(scope, type, child));
  const above =
    own.length > 0 ? [] : await definitionsOfNames(scope, type.file, typesInHeader(scope, type)).catch(orNone);
  const supertypes = above.flatMap(({ symbols }) => symbols.filter(isTypeSymbol));
  return [...own, ...supertypes].map((symbol) => ({
    ...{ symbol, how: 'creates with' },
    ...lineAt(scope, symbol.file, symbol.selectionRange.start),
  }));
}

/** Returns the members that override a member of a type. A failure becomes a gap. */
export async function overridings(scope: SymbolScope, member: SymbolNode): Promise<Mention[]> {
  const { parent } = member;
  const isMember = member.receiver !== undefined || (parent !== undefined && isTypeSymbol(parent));
  if (!isMember || !isCallable(member)) return [];
  const kind = { include: [], exclude: [] };
  const found = await findImplementations(scope, member, { kinds: kind }).catch((error: unknown): [] => {
    if (!isExpected(error)) throw error;
    const missing = `What overrides \`${namePathOf(member)}\` is unknown`;
    scope.gaps.push({ missing, reason: error.message, next: 'Read the types below its own' });
    return [];
  });
  const others = found.filter((symbol) => nameKey(symbol) !== nameKey(member));
  return await mapConcurrently(others, inFlightPerServer, async (symbol) => ({
    symbol,
    ...lineAt(scope, symbol.file, symbol.selectionRange.start),
    how: 'is overridden by',
  }));
}

function orNone(error: unknown): [] {
  if (!isExpected(error)) throw error;
  return [];
}
