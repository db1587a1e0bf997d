import { profileOf } from '../../languages/profiles.ts';
import { languageIdOf } from '../../servers/spec.ts';
import {
  type DeclarationOffsets,
  firstAttachedLine,
  implicitCall,
  overridingMark,
  withOverridingMark,
} from '../../text/definition-syntax.ts';
import { isSamePlace, placeAt } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import { type TextLines, textLines } from '../../text/text-lines.ts';
import { isCallable, kinds } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import type { Overrides } from '../model/overrides.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace, type SymbolNode } from '../model/symbol.ts';
import { bodySpan, spanOf, startOfLine } from '../model/text-range.ts';
import { overlapsLines, problemsInTime } from '../queries/diagnostics.ts';
import { findImplementations } from '../queries/implementations.ts';
import { typesInHeader } from '../queries/neighbors.ts';
import { describeMember, listed, outsideMember } from '../queries/outside-members.ts';
import { overridesOf } from '../queries/overrides.ts';
import { definitionsAt } from '../queries/requests.ts';
import type { Target } from './edited-symbol.ts';
import { newErrors, trial } from './trial.ts';

const patienceMs = 10_000;

/**
 * Returns why calls of something else may run an unreferenced member, as a clause: what it overrides or implements, also
 * in libraries, or the language itself. A written mark counts, unless the server reports it as wrong.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function whyCalled(scope: SymbolScope, target: Target): Promise<string | undefined> {
  const declaration = declarationOf(scope, { symbol: target.symbol, lines: target.draft.lines });
  if (declaration === undefined) return calledInModule(scope, target.symbol);
  const { language, lines, offsets, first } = declaration;
  const { symbol } = target;
  const mark = symbol.parent && overridingMark(lines.text, offsets, { language, parent: symbol.parent.name });
  if (mark !== undefined) {
    const found = (await problemsInTime(scope, [symbol.file], { patienceMs })).get(symbol.file);
    const isWrong = found?.problems.some(
      ({ message, range }) => mark.absent.test(message) && overlapsLines(range, first, symbol.selectionRange.end.line),
    );
    if (isWrong === true) return undefined;
    return `it overrides or implements a member of another type (\`${mark.written}\`), and calls of that member may run it`;
  }
  const overrides = await overridesOf(scope, { target: symbol, isUpward: true });
  const related = [...(overrides?.members ?? []), ...(overrides?.outside ?? [])].map(describeMember);
  const called = implicitCall(
    language,
    { name: symbol.name, isMember: true },
    lines.text.slice(offsets.nameEnd, offsets.end),
  );
  if (related.length === 0 && called !== undefined) return called;
  const overridden = overrides === undefined ? await overriddenWithMark(scope, target, declaration) : related;
  if (overridden.length > 0) return `it overrides or implements ${listed(overridden)}, and calls of that may run it`;
  if (overrides !== undefined) reportUnknown(scope, symbol, overrides);
  return undefined;
}

function calledInModule({ files: { sources } }: SymbolScope, symbol: SymbolNode): string | undefined {
  if ((symbol.parent ?? symbol.receiver) !== undefined) return undefined;
  const language = languageIdOf(sources.requireServer(symbol.file).spec, symbol.file) ?? '';
  return implicitCall(language, { name: symbol.name, isMember: false }, '');
}

/**
 * Returns why members below need a member, as a clause: one of them overrides it with a written mark, which is an error
 * without it. jdtls 1.60 lists no reference for a method whose callers all use an overriding one.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function whyOverridden(scope: SymbolScope, { symbol }: Target): Promise<string | undefined> {
  const active = scope.files.sources.requireServer(symbol.file);
  const language = languageIdOf(active.spec, symbol.file) ?? '';
  if (!isCallable(symbol) || symbol.parent === undefined || profileOf(language)?.overriding?.word === undefined)
    return undefined;
  const isSupported = await scope.files.ask(active, scope.call, async (server) =>
    server.supports('textDocument/implementation'),
  );
  if (!isSupported) return undefined;
  // What the question leaves open says nothing about this deletion.
  const below = await findImplementations({ ...scope, gaps: [] }, symbol, { kinds: { include: [], exclude: [] } });
  const marked = below.find(
    (one) => one.name === symbol.name && !isSamePlace(namePlace(one), namePlace(symbol)) && isMarked(scope, one),
  );
  if (marked === undefined) return undefined;
  return `\`${namePathOf(marked)}\` of \`${marked.file}\` overrides it, and would be an error without it`;
}

function isMarked(scope: SymbolScope, symbol: SymbolNode): boolean {
  const declaration = declarationOf(scope, { symbol, lines: scope.files.textOf(symbol.file) });
  if (declaration === undefined) return false;
  const { language, lines, offsets } = declaration;
  return overridingMark(lines.text, offsets, { language, parent: undefined }) !== undefined;
}

/** Returns the declaration of a member of a type; `undefined` for other symbols. */
function declarationOf(
  scope: SymbolScope,
  { symbol, lines }: { symbol: SymbolNode; lines: TextLines },
): MemberDeclaration | undefined {
  const language = languageIdOf(scope.files.sources.requireServer(symbol.file).spec, symbol.file);
  const name = spanOf(lines, symbol.selectionRange);
  if ((symbol.parent ?? symbol.receiver) === undefined || language === undefined || name === undefined)
    return undefined;
  const own = bodySpan(symbol, lines);
  const { line } = symbol.range.start;
  const first = firstAttachedLine(lines, line, language);
  const start = first < line ? startOfLine(lines, first) : own.start;
  return { language, lines, offsets: { start, nameStart: name.start, nameEnd: name.end, end: own.end }, first };
}

function reportUnknown(scope: SymbolScope, { name }: SymbolNode, { unknown, isPartial }: Overrides): void {
  const next = 'Read the declarations of the types above its own';
  const missing = `What \`${name}\` overrides may be unknown`;
  if (unknown.length > 0)
    scope.gaps.push({
      missing,
      reason: `the language server cannot resolve ${listed(unknown.map((one) => `\`${one}\``))}`,
      next,
    });
  if (isPartial) scope.gaps.push({ missing, reason: 'not all types were searched in time', next });
}

/** A declaration of a member, with its decorators and modifiers. */
interface MemberDeclaration {
  readonly language: string;
  readonly lines: TextLines;
  readonly offsets: DeclarationOffsets;
  /** Its first line. */
  readonly first: number;
}

/**
 * Returns what a method overrides without saying so, for a message: the server receives the text with the mark for that
 * time, and follows the mark, or accepts or refuses it. Empty if the method overrides nothing, and in other languages.
 * A server that does not answer in time becomes a gap.
 *
 * @throws {ExpectedError} `server.*`.
 */
async function overriddenWithMark(
  scope: SymbolScope,
  { symbol, draft }: Target,
  { language, lines, offsets }: MemberDeclaration,
): Promise<readonly string[]> {
  const { file, parent } = symbol;
  const isMethod = symbol.kind === kinds.method && parent !== undefined;
  const marked = isMethod ? withOverridingMark(lines.text, offsets, language) : undefined;
  if (marked === undefined || parent === undefined || draft.edited() !== lines.text) return [];
  const supertypes = typesInHeader(scope, parent).map(({ name }) => `\`${name}\``);
  const active = scope.files.sources.requireServer(file);
  const texts = new Map([[file, marked.text]]);
  if (!marked.isBehind) {
    const tried = await trial(scope, { active, texts, files: [file] });
    if (tried.unchecked.length > 0) reportUnchecked(scope, symbol.name);
    if (newErrors(tried).length + tried.unchecked.length > 0) return [];
    return [`a member of a type above its own${supertypes.length > 0 ? `, such as ${supertypes.join(', ')}` : ''}`];
  }
  // Only a class with a base class can override something.
  if (supertypes.length === 0) return [];
  const position = positionAt(marked.text, textLines(marked.text).starts, marked.wordAt);
  const found = await scope.files.tryTexts(active, scope.call, texts, () =>
    definitionsAt(scope, active, placeAt(file, position)),
  );
  // A mark that is wrong leads to the method itself.
  const { line } = symbol.selectionRange.start;
  const others = found.filter((place) => place.file !== file || place.range.start.line !== line);
  const members = await Promise.all(others.map((location) => outsideMember(scope, location, symbol.name)));
  return members.map(describeMember);
}

function reportUnchecked({ gaps }: SymbolScope, name: string): void {
  gaps.push({
    missing: `What \`${name}\` overrides may be unknown`,
    reason: 'the language server did not check it in time',
    next: 'Retry in a while',
  });
}
