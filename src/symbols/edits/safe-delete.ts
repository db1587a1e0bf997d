import { existsSync } from 'node:fs';
import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import type { FileDraft } from '../../edits/file-draft.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { EditChecks, OffsetSpan } from '../../servers/adapter.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { applyEdits } from '../../text/apply-edits.ts';
import { textLeftBehind } from '../../text/definition-syntax.ts';
import { lineEnd } from '../../text/lines.ts';
import { comparePlaces, contains, distinctPlaces, isSamePlace, type Place } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import { textLines } from '../../text/text-lines.ts';
import { isCallable, isContainerKind, isMemberKind, isTypeKind, kinds } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import { adapterOf, type SymbolScope } from '../model/scope.ts';
import { namePlace, preOrder, type SymbolNode } from '../model/symbol.ts';
import { bodySpan, type Span, spanOf, startOfLine } from '../model/text-range.ts';
import { editLimits } from '../occurrences/ledger.ts';
import type { FileProblem } from '../queries/new-problems.ts';
import { keepProjectLocations } from '../queries/project-locations.ts';
import { referenceLocations } from '../queries/references.ts';
import { lineOf } from '../queries/report-open.ts';
import { definitionsAt } from '../queries/requests.ts';
import { whyCalled, whyOverridden } from './called-indirectly.ts';
import { filesWithNames } from './changed-declarations.ts';
import { filesWithParent, namingStrings } from './checked-rename.ts';
import { comparedWith, placesWithout } from './compared-members.ts';
import { lastLineOf } from './edit.ts';
import { commitWatched, type EditScope } from './edit-problems.ts';
import { identifierOf, isBareName, openTarget, type SymbolAddress, type Target } from './edited-symbol.ts';
import { mayHaveEffects, whyFound } from './exposure.ts';
import type { FinishedEdit } from './finished-edit.ts';
import { linesNote } from './left-over.ts';
import { findMentions, usesByNameGap } from './mentions.ts';
import { linesOfPlaces, placeMover } from './open-places.ts';
import { describeProblems, newErrors, trial } from './trial.ts';

/**
 * Deletes a symbol without references, and the empty lines that follow it. References inside the symbol itself count. With
 * references, deletes nothing: they are the open places of the result.
 *
 * @throws {ExpectedError} `tool.failed-assertion` if the address names another file than the one that defines the
 *   symbol; `edit.refused` if it overrides another one, if references may be missing, if the symbol is only a part of
 *   its statement, or if the language server finds errors without it; errors of {@link openTarget}, the server and
 *   {@link Edits.commit}.
 */
export async function safeDelete(
  scope: EditScope,
  edits: Edits,
  address: SymbolAddress & { readonly ignoresUnresolved: boolean },
): Promise<FinishedEdit> {
  const target = await openTarget(scope, edits, address);
  const { symbol, draft } = target;
  const name = identifierOf(target);
  requireSameFile(scope, symbol, address.relativePath);
  const uses = await usesOf(scope, symbol);
  if (uses.length > 0) return keptFor(scope, symbol, uses);
  if (!address.ignoresUnresolved) {
    const why = (await whyUsedUnnamed(scope, target)) ?? whyFound(scope, symbol);
    if (why !== undefined) throw isUsedUnnamed(symbol, why);
    refuseUncertain(scope, symbol);
  }
  const effects = mayHaveEffects(scope, symbol) ? ['its initial value may have done something besides'] : [];
  const { start, end } = await deletedSpan(scope, target);
  const left = textLeftBehind(draft.text, { start, end }, languageOf(scope, symbol));
  draft.replace(start, end, left);
  const checked = await checkDeletion(scope, target, { start, mayBreak: address.ignoresUnresolved });
  const active = scope.files.sources.requireServer(symbol.file);
  const emptied = left === '' ? [] : [`wrote \`${left.trim()}\` into the block that it leaves empty`];
  const notes = [...emptied, ...effects, ...checked];
  const found = await findMentions(scope, edits, { active, symbol, name, inStrings: true }, notes);
  if (!address.ignoresUnresolved && found.uses.length > 0) {
    refuseUncertain({ gaps: [usesByNameGap(scope, found.uses)] }, symbol);
  }
  const named = [...found.uses, ...found.tests, ...found.mentions];
  const mentions = linesOfPlaces(scope, edits, named.map(placeMover(scope, edits)));
  const done = `Deleted \`${namePathOf(symbol)}\``;
  const finished = { done, places: edits.places, also: [], open: [], mentions, notes };
  await commitWatched(scope, edits, symbol.file);
  return finished;
}

/** Returns the result for a symbol that is not deleted because of its references. */
function keptFor(scope: SymbolScope, symbol: SymbolNode, uses: readonly Place[]): FinishedEdit {
  // Servers list calls of implementations as well.
  const why = symbol.parent?.kind === kinds.interface ? 'it or a member that implements it is used' : 'it is used';
  const open = uses.toSorted(comparePlaces).map((place) => {
    const { file, range } = place;
    return { file, line: range.start.line, text: lineOf(scope, place), why };
  });
  return { done: `Cannot delete \`${namePathOf(symbol)}\``, places: [], also: [], open, mentions: [], notes: [] };
}

function languageOf(scope: SymbolScope, { file }: SymbolNode): string {
  return languageIdOf(scope.files.sources.requireServer(file).spec, file) ?? '';
}

function requireSameFile(scope: SymbolScope, symbol: SymbolNode, relativePath: string): void {
  if (resolveInProject(scope.files.project, relativePath) === symbol.file) return;
  throw new ExpectedError(
    'tool.failed-assertion',
    `\`${namePathOf(symbol)}\` is defined in \`${symbol.file}\`, and \`relative_path\` is not that file`,
    { hints: [`pass "${symbol.file}" as \`relative_path\` if this is the symbol to delete`] },
  );
}

/** Returns the references to a symbol, and where it is defined besides. */
async function usesOf(scope: SymbolScope, symbol: SymbolNode): Promise<Place[]> {
  const all = [...(await ownReferences(scope, symbol)), ...(await separateDefinitions(scope, symbol))];
  // The server may still know a deleted file.
  const isUse = (place: Place) =>
    !isSamePlace(place, namePlace(symbol)) && existsSync(scope.files.absolute(place.file));
  return distinctPlaces(all.filter(isUse));
}

/** Returns the references to a symbol. The names of an unscoped enumeration are used without its own. */
export async function ownReferences(scope: SymbolScope, symbol: SymbolNode): Promise<Place[]> {
  const own = await referenceLocations(scope, symbol, { limits: editLimits });
  const members = symbol.kind === kinds.enum ? symbol.children : [];
  for (const member of members) {
    if (own.length > 0) break;
    const uses = await referenceLocations(scope, member, { limits: editLimits });
    own.push(...uses.filter(({ file, range }) => file !== symbol.file || !contains(symbol.range, range.start)));
  }
  return own;
}

/** Returns where the symbol of a declaration is defined: a definition without its declaration would not compile. */
export async function separateDefinitions(scope: SymbolScope, symbol: SymbolNode): Promise<Place[]> {
  const active = scope.files.sources.requireServer(symbol.file);
  if (active.spec.quirks?.hasSeparateDefinitions !== true) return [];
  return keepProjectLocations(scope, await definitionsAt(scope, active, namePlace(symbol)));
}

/**
 * Returns why something may use a symbol that nothing refers to, as a clause; `undefined` if nothing is known to.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function whyUsedUnnamed(scope: SymbolScope, target: Target): Promise<string | undefined> {
  const called = (await whyCalled(scope, target)) ?? (await whyOverridden(scope, target));
  if (called !== undefined) return called;
  const { symbol } = target;
  const active = scope.files.sources.requireServer(symbol.file);
  const { whyUsed } = await adapterOf(scope, active, symbol.file);
  return (await whyUsed?.(scope, active, symbol)) ?? (await whyCompared(scope, active, symbol));
}

/** Returns why something may look for a member of a value without naming its type, as a clause. */
async function whyCompared(scope: SymbolScope, active: ActiveServer, symbol: SymbolNode): Promise<string | undefined> {
  if (active.spec.adapter?.editChecks?.comparedMember === undefined || symbol.parent === undefined) return undefined;
  const files = await filesWithParent(scope, { active, symbol });
  const [place, ...more] = await placesWithout(scope, { active, symbol, files });
  if (place === undefined) return undefined;
  const others = more.length > 0 ? ` and ${counted(more.length, 'more place')}` : '';
  return `${comparedWith(symbol.name)}, in \`${place.file}\`: \`${lineOf(scope, place)}\`${others}`;
}

function isUsedUnnamed(symbol: SymbolNode, why: string): ExpectedError {
  return new ExpectedError(
    'edit.refused',
    `cannot delete \`${namePathOf(symbol)}\`: nothing refers to it by itself, but ${why}`,
    { hints: ['to delete it nevertheless, set `ignore_unresolved` to true'] },
  );
}

function refuseUncertain({ gaps }: Pick<SymbolScope, 'gaps'>, symbol: SymbolNode): void {
  if (gaps.length === 0) return;
  const missing = gaps.map(({ missing, reason, places = [] }) => {
    const lines = places.map(({ file, line }) => ({ file, line }));
    return `${missing}: ${reason}${lines.length > 0 ? `: ${linesNote(lines)}` : ''}`;
  });
  throw new ExpectedError(
    'edit.refused',
    `\`${namePathOf(symbol)}\` was not deleted, because it may still be used. ${missing.join('; ')}`,
    {
      hints: [
        ...new Set(gaps.map(({ next }) => next)),
        'if nothing refers to the symbol, set `ignore_unresolved` to true',
      ],
    },
  );
}

/** Text that may remain after a definition on its last line: nothing, or a comment. */
const harmlessRest = /^[ \t]*(?:(?:#|\/\/|--).*|\/\*(?:(?!\*\/).)*\*\/[ \t]*)?$/;

/**
 * Returns the span to delete: the symbol's range or, if nothing else is on its lines, those lines and the empty ones
 * below.
 */
async function deletedSpan(scope: SymbolScope, target: Target): Promise<Span> {
  const { symbol, draft } = target;
  const { text, starts } = draft.lines;
  const part = await deletedPart(scope, target);
  if (part !== undefined) return withLines(target, part);
  if (isBareName(target) || (await isTangled(scope, target))) throw onlyPart(symbol);
  const lastLine = lastLineOf(symbol);
  const { start, end: rangeEnd } = bodySpan(symbol, draft.lines);
  const lineStart = startOfLine(draft.lines, symbol.range.start.line);
  const endOfLastLine = lineEnd(text, starts, lastLine);
  const bodyEnd = Math.min(rangeEnd, endOfLastLine);
  const rest = text.slice(bodyEnd, endOfLastLine);
  // Not for variables: one may be part of a statement with several, which needs its separator.
  const hasSeparator = isContainerKind(symbol.kind) && /^[;,]/.test(rest) && harmlessRest.test(rest.slice(1));
  const end = hasSeparator ? bodyEnd + 1 : bodyEnd;
  const before = text.slice(lineStart, start);
  const after = text.slice(end, endOfLastLine);
  if (before.trim() !== '' || !harmlessRest.test(after)) {
    const inLine = spanInLine(target, { start, end: bodyEnd });
    if (inLine === undefined) throw onlyPart(symbol);
    return inLine;
  }
  if (after.trim() !== '') return { start, end };
  return { start: lineStart, end: startOfLine(draft.lines, firstFilledLine(target, lastLine + 1)) };
}

/**
 * Returns the span of a member that shares a line with the braces of its type, or with other members: `b(): void;` in
 * `interface A { b(): void; c(): void }`. `undefined` if it is not certain where it begins and ends: `int a` in
 * `struct A { int a; int b; }` may be the first of several in a declaration, and values may have its position.
 */
function spanInLine({ symbol, draft }: Target, { start, end }: Span): Span | undefined {
  const { kind, parent } = symbol;
  const { text } = draft.lines;
  if (parent === undefined || !isTypeKind(parent.kind) || parent.kind === kinds.enum) return undefined;
  const previous = text.slice(0, start).trimEnd();
  const isSeparate = parent.children.some(({ range }) => spanOf(draft.lines, range)?.end === previous.length);
  if (!/[{};]$/.test(previous) && !isSeparate) return undefined;
  const blank = blanksAt(text, end);
  const next = text[end + blank] ?? '\n';
  const hasEnd = /[};,]$/.test(text.slice(start, end));
  if (!hasEnd && next === ';' && isCallable({ kind })) return withBlanks(text, start, end + blank + 1);
  const isWhole = next === '}' || (hasEnd && /[\p{L}\p{N}_$@#~[<*"'/]/u.test(next));
  const endsLine = /[\r\n]/.test(next) && (hasEnd || isCallable({ kind }));
  return isWhole || endsLine ? withBlanks(text, start, end) : undefined;
}

/** Returns a span with the blanks behind it, or with those before it if it ends its line. */
function withBlanks(text: string, start: number, end: number): Span {
  const after = end + blanksAt(text, end);
  if (!/[\r\n]/.test(text[after] ?? '\n')) return { start, end: after };
  const before = /[ \t]*$/.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1, start))?.[0].length ?? 0;
  return { start: start - before, end: after };
}

function blanksAt(text: string, offset: number): number {
  return /^[ \t]*/.exec(text.slice(offset))?.[0].length ?? 0;
}

/**
 * Returns the span of a declaration whose range is only a part of its text; `undefined` if the server needs no help.
 *
 * @throws {ExpectedError} `edit.refused` with the reason why it cannot be deleted.
 */
async function deletedPart(scope: SymbolScope, { symbol, draft }: Target): Promise<Span | undefined> {
  const { files, call } = scope;
  const quirk = files.sources.requireServer(symbol.file).spec.adapter?.deletedPart;
  if (quirk === undefined) return undefined;
  const others = symbol.parent?.children ?? (await files.treeOf(symbol.file, call));
  const siblings = others.filter((other) => other !== symbol).flatMap(({ range }) => spanOf(draft.lines, range) ?? []);
  const span = bodySpan(symbol, draft.lines);
  const part = quirk(draft.text, { span, siblings, parentKind: symbol.parent?.kind });
  if (part === undefined || !('reason' in part)) return part;
  throw new ExpectedError('edit.refused', `cannot delete \`${namePathOf(symbol)}\`: it is unused, but ${part.reason}`, {
    hints: ['call `replace_content` to remove it and to adapt what depends on it'],
  });
}

/** Returns the lines of a span and the empty ones below, if nothing else is on its lines; otherwise the span. */
function withLines(target: Target, { start, end }: Span): Span {
  const { lines } = target.draft;
  const { text, starts } = lines;
  const [firstLine, lastLine] = [start, end].map((offset) => positionAt(text, starts, offset).line);
  if (firstLine === undefined || lastLine === undefined) return { start, end };
  const lineStart = startOfLine(lines, firstLine);
  const around = text.slice(lineStart, start) + text.slice(end, lineEnd(text, starts, lastLine));
  if (around.trim() !== '') return { start, end };
  return { start: lineStart, end: startOfLine(lines, firstFilledLine(target, lastLine + 1)) };
}

function firstFilledLine(target: Target, from: number): number {
  let line = from;
  while (line < target.draft.lines.starts.length && isEmptyLine(target, line)) line++;
  return line;
}

function isEmptyLine({ draft: { lines } }: Target, line: number): boolean {
  return lines.text.slice(lines.starts[line], lineEnd(lines.text, lines.starts, line)).trim() === '';
}

/** True if another definition shares the symbol's text, as in `var a, b = 1, 2`. The symbol's members do not count. */
async function isTangled(scope: SymbolScope, { symbol, draft }: Target): Promise<boolean> {
  const own = bodySpan(symbol, draft.lines);
  const tree = await scope.files.treeOf(symbol.file, scope.call);
  return preOrder(tree).some((other) => {
    if (isWithin(other, symbol) || isWithin(symbol, other)) return false;
    const span = spanOf(draft.lines, other.range);
    if (span === undefined || span.end <= own.start || own.end <= span.start) return false;
    // Definitions inside the symbol are deleted with it: `self.name = name` in a method defines a member of the class.
    return span.start <= own.start || own.end <= span.end;
  });
}

/** True if `symbol` is `ancestor` or one of its descendants. */
function isWithin(symbol: SymbolNode, ancestor: SymbolNode): boolean {
  return symbol === ancestor || (symbol.parent !== undefined && isWithin(symbol.parent, ancestor));
}

function onlyPart(symbol: SymbolNode): ExpectedError {
  const { start, end } = symbol.range;
  const lines = start.line === end.line ? `line ${start.line}` : `lines ${start.line} to ${end.line}`;
  return new ExpectedError(
    'edit.refused',
    `cannot delete \`${namePathOf(symbol)}\`: it is unused, but only a part of the statement in ${lines} of \`${symbol.file}\`, and the rest would be invalid`,
    { hints: ['call `replace_content` to remove or change the whole statement'] },
  );
}

/**
 * Checks a deletion that is planned in the target's draft before it is written, and plans to remove the imports that
 * nothing uses without it. Returns notes about these.
 *
 * @throws {ExpectedError} `edit.refused` if the server reports new errors and not `mayBreak`; `server.*`.
 */
async function checkDeletion(
  scope: EditScope,
  target: Target,
  { start, mayBreak }: { start: number; mayBreak: boolean },
): Promise<string[]> {
  const { symbol, draft } = target;
  const { file } = symbol;
  const active = scope.files.sources.requireServer(file);
  const checks = active.spec.adapter?.editChecks;
  const isMember = symbol.parent !== undefined && isMemberKind(symbol.kind);
  const isStructural = checks?.structuralTypes === 'all';
  const users = mayBreak || (isStructural && isMember) ? await filesWithName(scope, target, active) : [];
  scope.problems.watchUsers(users);
  // Where types are compared by their members, references show all uses of other symbols.
  if (checks === undefined || (isStructural && !isMember)) return [];
  const texts = new Map([[file, draft.edited()]]);
  const result = await trial(scope, { active, texts, files: [file, ...users] });
  const errors = newErrors(result);
  const unused = errors.filter((error) => isAboutUnused(checks, error));
  const others = errors.filter((error) => !unused.includes(error));
  if (others.length > 0 && !mayBreak) throw wouldBreak(target, others);
  scope.problems.keep(texts, result);
  const removed = await removableImports(scope, { active, checks, draft, unused });
  // The offsets of the changed text equal those of the present one before the deletion.
  const isBefore = removed.length > 0 && removed.every((span) => span.end <= start);
  if (!isBefore) return unusedNotes(unused);
  const text = draft.edited();
  const names = removed.map((span) => `\`${text.slice(span.start, span.end).trim()}\``);
  for (const span of removed) draft.replace(span.start, span.end, '');
  // The file has none of these errors without the imports.
  const tried = result.tried.filter(({ after }) => after.file !== file);
  scope.problems.keep(new Map([[file, draft.edited()]]), { ...result, tried });
  return [`removed ${counted(removed.length, 'import')} that nothing else used: ${names.join(', ')}`];
}

/** Returns the other files that contain the target's name, also as a string. */
async function filesWithName(scope: SymbolScope, target: Target, active: ActiveServer): Promise<string[]> {
  const name = identifierOf(target);
  const changed = [target.symbol.file];
  const { files } = await filesWithNames(scope, active, { names: new Set([name]), changed, isComplete: true });
  const strings = await namingStrings(scope, { active, name, steps: [] });
  return [...new Set([...files, ...strings.map(({ file }) => file)])].filter((file) => !changed.includes(file));
}

function isAboutUnused({ unusedCodes }: EditChecks, { diagnostic: { code } }: FileProblem): boolean {
  return code !== undefined && unusedCodes.includes(code);
}

interface UnusedImports {
  readonly active: ActiveServer;
  readonly checks: EditChecks;
  readonly draft: FileDraft;
  readonly unused: readonly FileProblem[];
}

/** Returns the spans to delete in the changed text, if the file has none of the errors without them. */
async function removableImports(
  scope: SymbolScope,
  { active, checks, draft, unused }: UnusedImports,
): Promise<readonly OffsetSpan[]> {
  if (unused.length === 0 || checks.importsToRemove === undefined) return [];
  const text = draft.edited();
  const lines = textLines(text);
  const at = unused.flatMap(({ diagnostic }) => spanOf(lines, diagnostic.range) ?? []);
  const spans = checks.importsToRemove(text, at);
  const edits = spans.map((span) => ({ ...span, text: '' }));
  const texts = new Map([[draft.path, applyEdits(text, edits, draft.path)]]);
  const tried = await trial(scope, { active, texts, files: [draft.path] });
  return newErrors(tried).length + tried.unchecked.length === 0 ? spans : [];
}

function unusedNotes(unused: readonly FileProblem[]): string[] {
  if (unused.length === 0) return [];
  return [`nothing uses these any more (0-based lines): ${describeProblems(unused)}`];
}

function wouldBreak({ symbol }: Target, errors: readonly FileProblem[]): ExpectedError {
  return new ExpectedError(
    'edit.refused',
    `cannot delete \`${namePathOf(symbol)}\`: without it there would be ${counted(errors.length, 'new error')} (0-based lines): ${describeProblems(errors)}`,
    { hints: ['change these places first', 'to delete it nevertheless, set `ignore_unresolved` to true'] },
  );
}
