import { isExpected } from '../../base/errors.ts';
import { profileOf } from '../../languages/profiles.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { requestRename, type WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { IdentifierResult } from '../../search/scan-protocol.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { commentsIn } from '../../text/identifiers.ts';
import { lineText } from '../../text/lines.ts';
import {
  comparePositions,
  distinctPlaces,
  isOutside,
  isSamePlace,
  keyAt,
  type Place,
  placeKey,
  touches,
} from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import type { LanguageAdapter } from '../adapter.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { kinds } from '../model/kinds.ts';
import { adapterOf, readable, type SymbolScope } from '../model/scope.ts';
import { namePlace } from '../model/symbol.ts';
import { type Span, spanOf } from '../model/text-range.ts';
import { textSearch } from '../model/text-search.ts';
import { editLimits, entriesAt, type Ledger, type ReferencesQuestion } from '../occurrences/ledger.ts';
import type { Occurrence } from '../occurrences/occurrence.ts';
import { openLedger } from '../occurrences/open-ledger.ts';
import { TargetInCode } from '../occurrences/target-in-code.ts';
import { fileInProject, keepProjectLocations } from '../queries/project-locations.ts';
import { prepareTarget } from '../queries/references.ts';
import { referencesElsewhere } from '../queries/references-elsewhere.ts';
import { hasDefinition, unlessRefused } from '../queries/requests.ts';
import { codeAlternatives } from './code-alternatives.ts';
import { changedMeanwhile, identifierOf, type Target, textAt } from './edited-symbol.ts';
import { referenceSteps, stepsAt, withoutEditsAt } from './reference-steps.ts';

/** What the server and the comparison with the text propose for one symbol. */
export interface RenameProposal {
  readonly server: LanguageServer;
  /** Cursor of the last change that was reported to the server before the request. */
  readonly cursor: number | undefined;
  readonly steps: readonly WorkspaceStep[];
  /** References to the symbol; `undefined` if the server does not support finding them. */
  readonly references: Ledger | undefined;
  /** Occurrences outside the analyzed code that are renamed too. */
  readonly unanalyzed: readonly Occurrence[];
  /** Occurrences that may be the symbol or another one. */
  readonly doubtful: readonly Occurrence[];
  /** Places in comments that are renamed too. */
  readonly comments: readonly Place[];
  /** Places in comments that may have to be renamed and are not. */
  readonly prose: readonly Place[];
}

/**
 * Returns the proposals for a member and its overrides as one, each edit once. Those of interfaces come first: gopls renames
 * the methods of types with them, and refuses to rename such a method itself.
 *
 * @throws {ExpectedError} errors of {@link requestProposal}.
 */
export async function joinedProposal(
  scope: SymbolScope,
  [target, ...others]: readonly [Target, ...Target[]],
  of: ProposalOptions,
): Promise<RenameProposal> {
  const isOfInterface = ({ symbol }: Target) => symbol.parent?.kind === kinds.interface;
  const all = [target, ...others];
  const [first = target, ...rest] = [...all.filter(isOfInterface), ...all.filter((one) => !isOfInterface(one))];
  const propose = async (one: Target, own: SymbolScope) => {
    try {
      return await requestProposal(own, one, of);
    } catch (error) {
      if (!isExpected(error, 'server.refused')) throw error;
      const type = of.active.spec.quirks?.renamedTogether?.exec(error.message)?.groups?.type;
      if (type === undefined || !all.some(({ symbol }) => symbol.parent?.name === type)) throw error;
      return await requestProposal(own, one, { ...of, isByReferences: true });
    }
  };
  let proposal = await propose(first, scope);
  // A change in between is noticed before the edit.
  const afterwards = { ...scope, areChangesReported: true };
  for (const one of rest) {
    if (isRenamed(one, proposal)) continue;
    proposal = mergedProposals(proposal, await propose(one, afterwards));
  }
  return proposal;
}

function isRenamed({ symbol }: Target, { steps }: RenameProposal): boolean {
  const place = namePlace(symbol);
  return steps.some(
    (step) => step.do === 'edit' && step.edits.some(({ range }) => isSamePlace({ file: step.file, range }, place)),
  );
}

function mergedProposals(first: RenameProposal, other: RenameProposal): RenameProposal {
  const keys = new Set<string>();
  const steps = [...first.steps, ...other.steps].map((step) => withoutKnown(step, keys));
  const { references: a } = first;
  const { references: b } = other;
  return {
    server: first.server,
    cursor: first.cursor,
    steps: steps.filter((step) => step.do !== 'edit' || step.edits.length > 0),
    references: b && a?.joined(b),
    unanalyzed: distinctPlaces([...first.unanalyzed, ...other.unanalyzed]),
    doubtful: distinctPlaces([...first.doubtful, ...other.doubtful]),
    comments: distinctPlaces([...first.comments, ...other.comments]),
    prose: distinctPlaces([...first.prose, ...other.prose]),
  };
}

function withoutKnown(step: WorkspaceStep, keys: Set<string>): WorkspaceStep {
  if (step.do !== 'edit') return step;
  const edits = step.edits.filter(({ range }) => {
    const key = keyAt(step.file, range.start);
    return !keys.has(key) && keys.add(key);
  });
  return { ...step, edits };
}

/** Returns the one definition that takes the target's place in the build, if the server does not analyze the target. */
export async function analyzedTarget(scope: SymbolScope, active: ActiveServer, target: Target): Promise<Target> {
  const { files, call } = scope;
  const { definitionsByBuild } = await adapterOf(scope, active, target.symbol.file);
  if (definitionsByBuild === undefined) return target;
  const { analyzed, excluded } = await files.ask(active, call, (server) =>
    definitionsByBuild(scope, { active, server, target: target.symbol }),
  );
  const { start } = target.symbol.selectionRange;
  const isExcluded = excluded.some(({ selectionRange }) => comparePositions(selectionRange.start, start) === 0);
  const [twin, ...others] = analyzed;
  return isExcluded && twin !== undefined && others.length === 0 ? { ...target, symbol: twin } : target;
}

interface ProposalOptions {
  readonly active: ActiveServer;
  readonly newName: string;
  /** True to replace the name at the references, because the server refuses to rename the symbol alone. */
  readonly isByReferences?: boolean;
}

/** Requests the rename. Nothing is written before it ends, so that it can be repeated if the server dies. */
export async function requestProposal(
  scope: SymbolScope,
  { symbol, draft }: Target,
  { active, newName, isByReferences = active.spec.quirks?.renamesWrongly === true }: ProposalOptions,
): Promise<RenameProposal> {
  const { files, call } = scope;
  const name = identifierOf({ symbol, draft });
  const text = textSearch(scope, { active, name });
  const elsewhere = await referencesElsewhere(scope, active, symbol);
  const adapter = await adapterOf(scope, active, symbol.file);
  return files.ask(active, call, async (server) => {
    const { searched: searchedElsewhere } = elsewhere;
    const shownText = await prepareTarget(scope, { active, server, target: symbol, text, searchedElsewhere });
    if (shownText !== draft.raw) throw changedMeanwhile([symbol.file]);
    const cursor = files.stateOf(server).reportedUpTo;
    const question = { active, server, target: symbol, name, text };
    // References first: the ledger opens files that the server's configuration excludes, so that they are renamed
    // too.
    const references = await unlessRefused(() => openLedger(scope, question, editLimits));
    const renameAt = renamer(scope, question, { references, newName, isByReferences });
    const all = await fullSteps(scope, question, { adapter, references, renameAt, newName });
    const inComments = await commentEdits(scope, all, { active, references: references?.own ?? [] });
    const steps = withoutEditsAt(all, inComments.prose);
    const isChanged = (location: Place) => isChangedIn(scope)(location, steps);
    const definitions = await alternativeLocations(scope, question, { text: references?.text, isRenamed: isChanged });
    const alternatives = [...definitions, ...elsewhere.entries.filter(({ verdict }) => verdict === 'own')].filter(
      ({ file }) => fileInProject(scope, file) !== undefined,
    );
    // In other builds they take the target's place: the server does not rename them with it.
    const twins = ((await adapter.definitionsByBuild?.(scope, question))?.excluded ?? []).map(namePlace);
    const twinKeys = new Set(twins.map(placeKey));
    const isRenamed = (location: Place) => twinKeys.has(placeKey(location)) || isChanged(location);
    const proposed = { ...question, references, isRenamed };
    const { certain = [], doubtful = [] } = (await adapter.uncertainOccurrences?.(scope, proposed)) ?? {};
    // Those whose text is not the name keep it.
    const listed = active.spec.quirks?.renamesIncompletely === true ? await inProjectOnly(scope, references) : [];
    const further = entriesAt([...alternatives, ...twins, ...certain, ...listed], renamedToo);
    const open = elsewhere.entries.filter(({ verdict }) => verdict === 'open');
    return {
      server,
      cursor,
      steps,
      references: references?.with([...open, ...further]),
      unanalyzed: certain,
      doubtful,
      comments: inComments.named,
      prose: inComments.doubtful,
    };
  });
}

function renamer(
  scope: SymbolScope,
  question: ReferencesQuestion,
  { references, newName, isByReferences }: { references: Ledger | undefined; newName: string; isByReferences: boolean },
): (at: Place) => Promise<WorkspaceStep[]> {
  const { files, call } = scope;
  const { active, server, target, name } = question;
  const place = namePlace(target);
  const rename = active.spec.quirks?.rename ?? requestRename;
  return (at) =>
    server.documents.holding(at.file, async () => {
      // The ledger may have opened so many other files that this one is closed.
      await files.show(server, at.file, call);
      const isItself = isSamePlace(at, place);
      const ask = async () => {
        if (!isByReferences) return rename(server, { ...at, newName }, files.limits(call));
        const own = isItself ? [place, ...(await inProjectOnly(scope, references))] : [];
        return referenceSteps(scope, own, { name, newName });
      };
      return isItself ? stepsInCode(scope, question, { references, newName, ask }) : ask();
    });
}

/**
 * Returns the steps of a rename, requested again if they leave out references: the ledger may have opened files
 * that make the server load further builds of the project, and gopls 0.23 renames before it has loaded them.
 */
async function completeSteps(
  scope: SymbolScope,
  { references, name }: { references: Ledger | undefined; name: string },
  request: () => Promise<WorkspaceStep[]>,
): Promise<WorkspaceStep[]> {
  const steps = await request();
  const missed = new Set((references?.missed ?? []).map(placeKey));
  const isLeftOut = (place: Place) => {
    const { range } = place;
    const file = fileInProject(scope, place.file);
    if (file === undefined || missed.has(placeKey(place))) return false;
    return !isCovered(scope, { file, range }, steps) && textAt(scope, { file, range }) === name;
  };
  return references?.own.some(isLeftOut) ? request() : steps;
}

/** Returns the server's steps without those of other symbols, and with those for further declarations that it leaves out. */
async function fullSteps(
  scope: SymbolScope,
  question: ReferencesQuestion,
  { adapter, references, renameAt, newName }: RenameParts,
): Promise<WorkspaceStep[]> {
  const place = namePlace(question.target);
  const proposed = await completeSteps(scope, { references, name: question.name }, () => renameAt(place));
  const own = (await adapter.withoutOtherSymbols?.(scope, question, { steps: proposed, rename: renameAt })) ?? proposed;
  const steps = withoutEditsAt(own, [...(references?.mistaken ?? []), ...otherNames(scope, own, question)]);
  if (references?.text === undefined) return steps;
  const parts = { text: references.text, steps, isChanged: isChangedIn(scope), rename: renameAt, newName };
  return (await adapter.withFurtherSymbols?.(scope, question, parts)) ?? steps;
}

interface RenameParts {
  readonly adapter: LanguageAdapter<SymbolScope>;
  readonly references: Ledger | undefined;
  readonly renameAt: (at: Place) => Promise<WorkspaceStep[]>;
  readonly newName: string;
}

/** Returns a predicate for locations inside the project that some of the steps change. */
function isChangedIn(scope: SymbolScope): (location: Place, steps: readonly WorkspaceStep[]) => boolean {
  return ({ file: named, range }, steps) => {
    const file = fileInProject(scope, named);
    return file !== undefined && isCovered(scope, { file, range }, steps);
  };
}

function inProjectOnly(scope: SymbolScope, references: Ledger | undefined): Promise<Place[]> {
  return keepProjectLocations(scope, references?.own ?? []);
}

const renamedToo = {
  verdict: 'own',
  reason: 'it has the name together with the symbol',
  judge: 'declarations',
} as const;

/** Returns edits of references that only the ledger has, and that the server would not rename. */
export function missedSteps(
  scope: SymbolScope,
  target: Target,
  { references, steps }: RenameProposal,
  newName: string,
): WorkspaceStep[] {
  const name = identifierOf(target);
  const missed = (references?.missed ?? []).filter(({ file, range }) => {
    const reference = { file: inProject(scope, file), range };
    return !isCovered(scope, reference, steps) && textAt(scope, reference) === name;
  });
  return stepsAt(missed, newName);
}

export function isCovered(scope: SymbolScope, { file, range }: Place, steps: readonly WorkspaceStep[]): boolean {
  return steps.some(
    (step) =>
      step.do === 'edit' &&
      fileInProject(scope, step.file) === file &&
      step.edits.some((edit) => touches(edit.range, range)),
  );
}

export function inProject(scope: SymbolScope, path: string): string {
  return resolveInProject(scope.files.project, path);
}

/**
 * Returns what else has to be renamed: further definitions, in other build configurations or in stubs, and the
 * references to them, some of which may be outside the project.
 *
 * @throws {ExpectedError} errors of {@link codeAlternatives}; `server.*`.
 */
async function alternativeLocations(
  scope: SymbolScope,
  question: ReferencesQuestion,
  { text, isRenamed }: { text: IdentifierResult | undefined; isRenamed: (location: Place) => boolean },
): Promise<Place[]> {
  if (text === undefined) return [];
  const { furtherDefinitions } = await adapterOf(scope, question.active, question.target.file);
  const inCode = await codeAlternatives(scope, { ...question, text });
  const definitions = [
    ...((await furtherDefinitions?.(scope, question, { text, isRenamed })) ?? []),
    ...inCode.definitions.map((node) => ({ node, isImplementation: true })),
  ];
  const found: Place[] = [...inCode.places];
  for (const { node, isImplementation } of definitions) {
    await scope.files.show(question.server, node.file, scope.call);
    // gopls refuses queries in files that no build of this Go version contains; the ledger names those.
    const references = await unlessRefused(() => openLedger(scope, { ...question, target: node }, editLimits));
    if (references === undefined) continue;
    const { own } = references;
    if (isImplementation || own.some(isRenamed)) found.push(namePlace(node), ...own);
  }
  return found;
}

const identifier = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const part = /[\p{L}\p{N}_$@]/u;

/**
 * Returns where the steps of a rename give the new name to something with another name: clangd 22 also renames `N` in
 * `template <axis_t N> const axis_t axis_to_type<N>::axis = N;` if `axis_t` is renamed. Names that differ only in
 * case, spaces and underscores count as equal, because Robot Framework and Nim ignore them. A part of a name is none:
 * the server counts columns differently.
 */
function otherNames(
  scope: SymbolScope,
  steps: readonly WorkspaceStep[],
  { name, target }: Pick<ReferencesQuestion, 'name' | 'target'>,
): Place[] {
  const edited = steps.flatMap((step) =>
    step.do === 'edit' ? step.edits.map((edit) => ({ ...edit, file: step.file })) : [],
  );
  const newName = edited.find((edit) => isSamePlace(edit, namePlace(target)))?.newText;
  return edited.filter((edit) => {
    const old = edit.newText !== newName || isOutside(edit) ? undefined : identifierAt(scope, edit);
    return old !== undefined && withoutStyle(old) !== withoutStyle(name);
  });
}

function withoutStyle(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_]/g, '');
}

/** Returns the identifier that a range covers; `undefined` if it covers something else, or a part of one. */
function identifierAt(scope: SymbolScope, { file, range }: Place): string | undefined {
  // The server may still know a deleted file, and planning the edit reports it.
  const lines = readable(scope, file);
  const span = lines && spanOf(lines, range);
  if (lines === undefined || span === undefined) return undefined;
  const { text } = lines;
  if (part.test(text[span.start - 1] ?? '') || part.test(text[span.end] ?? '')) return undefined;
  const covered = text.slice(span.start, span.end);
  return identifier.test(covered) ? covered : undefined;
}

interface RenameInCode {
  readonly references: Ledger | undefined;
  readonly newName: string;
  /** Requests the server's steps. */
  readonly ask: () => Promise<WorkspaceStep[]>;
}

/**
 * Returns the server's steps. If the server does not know the target, because it takes its code for unreachable, those
 * that the code itself shows: pyright renames nothing after `assert sys.platform == "win32"`.
 *
 * @throws {ExpectedError} `edit.refused` if the server refuses and the code does not show what every occurrence means;
 *   `server.*`.
 */
async function stepsInCode(
  scope: SymbolScope,
  question: ReferencesQuestion,
  { references, newName, ask }: RenameInCode,
): Promise<WorkspaceStep[]> {
  try {
    return await ask();
  } catch (error) {
    if (!isExpected(error, 'edit.refused') || references === undefined) throw error;
    const places = placesInCode(scope, question, references);
    if (places === undefined || (await hasDefinition(scope, question.server, namePlace(question.target)))) throw error;
    return stepsAt(places, newName);
  }
}

/** Returns the declaration and the references; `undefined` if the code does not show that these are all. */
function placesInCode(
  scope: SymbolScope,
  { active, target, name }: ReferencesQuestion,
  { own, text, open, unread }: Ledger,
): readonly Place[] | undefined {
  const inCode = TargetInCode.of(scope, active, target);
  if (inCode === undefined || text === undefined) return undefined;
  if (open.length + unread.length > 0) return undefined;
  const found = [namePlace(target), ...own];
  const places = found.filter((place) => !isOutside(place) && textAt(scope, place) === name);
  return places.every((one) => inCode.isTarget(one)) ? places : undefined;
}

/** Code beside a name in a comment: `[Stop]`, `Store.Stop`, `` `Stop` ``, `{@link Stop}`, `@param Stop`. */
const codeBefore = /(?:[\p{L}\p{N}_)\]](?:[.#\\]|::|->)|[[`'"{<$#]|@\w+\s+(?:\{[^}]*\}\s*)?|@link\s+)[*&]?$/u;
/** `Stop()`, `Stop.now`, `` Stop` ``, `Stop]`. */
const codeAfter = /^(?:[(\]`'"}>]|(?:[.#\\]|::|->)[\p{L}_])/u;
/** More text says no more about the name behind it. */
const maxBefore = 200;
/** A name with other characters cannot be a word of a sentence. */
const plainWord = /^\p{L}\p{Ll}*$/u;

/** The edits of a rename in comments, without those that the server lists as references. */
interface CommentEdits {
  /** Places where the name is marked as code, or is the subject of the comment of a renamed declaration. */
  readonly named: readonly Place[];
  /** Places where it is a word like any other. */
  readonly prose: readonly Place[];
  /** Those of `prose` that may mean the declaration all the same: the first word of its comment. */
  readonly doubtful: readonly Place[];
}

/**
 * Returns the edits of a rename in comments: gopls renames each word of a doc comment that equals the name, in `// Stop the
 * timers first` as well.
 */
async function commentEdits(
  scope: SymbolScope,
  steps: readonly WorkspaceStep[],
  { active, references }: { readonly active: ActiveServer; readonly references: readonly Place[] },
): Promise<CommentEdits> {
  const known = new Set(references.map(placeKey));
  const edited = steps.flatMap(({ file, ...step }) =>
    step.do === 'edit' && !isOutside({ file }) ? step.edits.map(({ range }) => ({ file, range })) : [],
  );
  const named: Place[] = [];
  const prose: Place[] = [];
  const doubtful: Place[] = [];
  for (const [file, places] of Map.groupBy(edited, (place) => place.file)) {
    const unlisted = places.filter((place) => !known.has(placeKey(place)));
    const lines = unlisted.length > 0 ? readable(scope, file) : undefined;
    if (lines === undefined) continue;
    const language = languageIdOf(active.spec, file) ?? '';
    const comments = commentsIn(lines.text, language);
    for (const place of unlisted) {
      const comment = commentOf(lines, place, comments);
      if (comment === undefined) continue;
      const isFirst = await isFirstWord(scope, { ...comment, language, lines, place, places });
      const isCode = isMarked(comment) || (isFirst && !isInSentence(comment, language));
      (isCode ? named : prose).push(place);
      if (isFirst && !isCode) doubtful.push(place);
    }
  }
  return { named, prose, doubtful };
}

interface NameInComment {
  readonly name: string;
  /** The comment before the name, from its first character. */
  readonly before: string;
  /** The line behind the name. */
  readonly after: string;
  /** Offset of the comment's end. */
  readonly end: number;
}

function commentOf(lines: TextLines, { range }: Place, comments: readonly Span[]): NameInComment | undefined {
  const span = spanOf(lines, range);
  const comment = span && comments.find(({ start, end }) => start <= span.start && span.start < end);
  if (span === undefined || comment === undefined) return undefined;
  const { text } = lines;
  const [after = ''] = text.slice(span.end, comment.end).split('\n', 1);
  const name = text.slice(span.start, span.end);
  return { name, before: text.slice(comment.start, span.start), after, end: comment.end };
}

function isMarked({ before, after }: NameInComment): boolean {
  return codeBefore.test(before.slice(-maxBefore)) || codeAfter.test(after);
}

/** True if the sentence that a name begins shows that it is no name there: `// Stop the timers first`. */
function isInSentence({ name, after }: NameInComment, language: string): boolean {
  return plainWord.test(name) && profileOf(language)?.prose?.test(after) === true;
}

/** True if a name is the first word of the comment above a renamed declaration, which by convention is its name. */
async function isFirstWord(
  scope: SymbolScope,
  of: NameInComment & { language: string; lines: TextLines; place: Place; places: readonly Place[] },
): Promise<boolean> {
  const { before, lines, place, places, language } = of;
  const { attached, prose } = profileOf(language) ?? {};
  if (attached?.line === undefined || prose === undefined || /[\p{L}\p{N}]/u.test(before)) return false;
  const { line } = place.range.start;
  const isComment = (at: number) => attached.line?.test((lineText(lines.text, lines.starts, at) ?? '').trim()) === true;
  const isLine = isComment(line);
  if (isLine && line > 0 && isComment(line - 1)) return false;
  let below = positionAt(lines.text, lines.starts, of.end).line + 1;
  while (isLine && isComment(below)) below++;
  const starts = places.filter(({ range }) => range.start.line === below).map(({ range }) => range.start);
  return starts.length > 0 && symbolsNamedAt(await scope.files.treeOf(place.file, scope.call), starts).length > 0;
}
