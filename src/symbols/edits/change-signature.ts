import { counted } from '../../base/counted.ts';
import type { ExpectedError } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import type { Edits } from '../../edits/edits.ts';
import type { FileDraft } from '../../edits/file-draft.ts';
import { readChange } from '../../edits/read-change.ts';
import type { ConstructionRules } from '../../languages/signature-rules.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { implicitCall } from '../../text/definition-syntax.ts';
import type { ChangedText } from '../../text/diff.ts';
import { type Place, placeKey } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import { textLines } from '../../text/text-lines.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { isCallable, isTypeKind, kinds } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import { notAllFound, type Overrides } from '../model/overrides.ts';
import { nameKey, namePlace, type SymbolNode } from '../model/symbol.ts';
import type { FileProblem } from '../queries/new-problems.ts';
import { describeMember, listed } from '../queries/outside-members.ts';
import { overridesOf } from '../queries/overrides.ts';
import { addedImports } from './added-imports.ts';
import { addedParameters } from './added-parameters.ts';
import type { EditScope } from './edit-problems.ts';
import { identifierOf, openTarget, type SymbolAddress, type Target, textAt } from './edited-symbol.ts';
import { exampleSites } from './example-sites.ts';
import type { FinishedEdit } from './finished-edit.ts';
import { linesNote } from './left-over.ts';
import { findMentions, whyStringIsUse } from './mentions.ts';
import type { NestedEdits } from './nested-edits.ts';
import { linesOfPlaces, placeMover } from './open-places.ts';
import { joinedProposal } from './rename-proposal.ts';
import { type RequestedChange, signatureAfter } from './signature-change.ts';
import { constructedType, constructionsOf } from './signature-constructors.ts';
import type { SignatureEdits } from './signature-edits.ts';
import { changeChosen, chosenCalls, openCalls } from './signature-open.ts';
import { refuseOverloads } from './signature-overloads.ts';
import {
  force,
  lineKey,
  type OpenSite,
  planOf,
  type SignaturePlan,
  type SignatureTask,
  signatureRefused,
} from './signature-plan.ts';
import {
  isDeclaration,
  overloadsOf,
  placesOfAliases,
  placesOfName,
  type Sited,
  signatureRulesOf,
  sitesAt,
} from './signature-sites.ts';
import { canTry, describeProblems, newErrors, tryChanges } from './trial.ts';
import { commitProposal, planServerEdit } from './workspace-edit.ts';

/** Changes of the signature of a function. */
export interface SignatureRequest extends SymbolAddress {
  /** In the order in which they are made. */
  readonly changes: readonly RequestedChange[];
  /** True if errors, and what is outside the project, are no reason to refuse. */
  readonly mayBreak: boolean;
  /** Ids of open calls that an earlier call for the same changes returned, to be changed too. */
  readonly also: readonly number[];
}

/**
 * Changes the parameters of a function in its declaration, in those that override or implement it or that it does, and
 * the arguments of all calls, in one transaction. What is no plain call of it stays open. With ids that an earlier call
 * returned, changes these calls too; if that call made the change already, only these calls.
 *
 * @throws {ExpectedError} `tool.invalid-input` for a change that the parameters do not permit; `edit.refused` if something
 *   outside the project depends on the signature, a declaration has other parameters, or errors would appear;
 *   `edit.conflict`; errors of {@link openTarget}, the server and {@link Edits.commit}. After an error nothing has changed.
 */
export async function changeSignature(
  scope: EditScope,
  edits: Edits,
  request: SignatureRequest,
): Promise<FinishedEdit> {
  const chosen = chosenCalls(scope, request);
  if (chosen?.when === 'after') return await changeChosen(scope, edits, chosen);
  const target = await openTarget(scope, edits, request);
  const { symbol } = target;
  const active = scope.files.sources.requireServer(symbol.file);
  const rules = signatureRulesOf(active, symbol.file);
  if (rules === undefined) throw notSupported(symbol);
  const [own] = await sitesAt(scope, edits, { active, places: [namePlace(symbol)] });
  if (own === undefined || !isDeclaration(own)) throw noFunction(symbol, rules.construction);
  const type = constructedType(symbol, rules.construction);
  if (symbol.kind === kinds.constructor && type === undefined)
    throw signatureRefused(symbol, 'constructors of this language are also called without a name', [manually]);
  const added = await addedParameters(active, symbol.file, { rules, changes: request.changes });
  const change = signatureAfter(own.site.parameters, request.changes, { rules, added });
  const isConstructor = type !== undefined;
  const task: SignatureTask = { active, target, rules, change, mayBreak: request.mayBreak, isConstructor };
  const family = isConstructor ? noFamily : await familyOf(scope, edits, task);
  const found = type
    ? await constructionSites(scope, edits, { task, type })
    : await functionSites(scope, edits, { task, family });
  if (rules.hasOverloads === true && !request.mayBreak)
    await refuseOverloads(scope, edits, { task, declared: found.sites.filter(isDeclaration) });
  const notes: string[] = [];
  const named = { active, symbol: type ?? symbol, name: type?.name ?? identifierOf(target), inStrings: true };
  // What passes the same arguments as before needs no look.
  const none = { uses: [], tests: [], mentions: [] };
  const { uses, tests, mentions } = change.isNeutral ? none : await findMentions(scope, edits, named, notes);
  const open = [...found.open, ...uses.map((place) => ({ place, why: whyStringIsUse }))];
  const uncertain = [...found.uncertain, ...(await exampleSites(edits, { active, places: tests }))];
  const wanted = chosen?.places.map(({ before }) => before) ?? [];
  const plan = await planOf(scope, task, { ...found, open, uncertain, chosen: wanted });
  const steps = stepsOf(plan.edits);
  if (steps.length === 0) throw signatureRefused(symbol, 'nothing would change');
  const also = await alsoChanged(scope, task, plan);
  let finished: Pick<FinishedEdit, 'open' | 'also' | 'next' | 'mentions'> | undefined;
  const check = async () => {
    notes.push(...importsNote(await requireNoErrors(scope, edits, { task, plan })));
    const move = placeMover(scope, edits);
    const linesAfter = (places: readonly Place[]) => places.map((place) => lineAt(move(place).after));
    notes.push(...plan.about.map(({ note, places }) => `${note}: ${linesNote(linesAfter(places))}`));
    const mentioned = linesOfPlaces(scope, edits, mentions.map(move));
    finished = { mentions: mentioned, ...openCalls(scope, edits, { task, plan, request, chosen, also }) };
  };
  await commitProposal(scope, edits, { steps, cursor: found.cursor, active, file: symbol.file, check });
  return {
    done: `Changed the signature of \`${namePathOf(symbol)}\``,
    places: plan.edits.counts,
    ...{ open: [], also: [], mentions: [], ...finished },
    notes: [...family.notes, ...plan.notes, ...notes],
  };
}

const manually = 'edit the declaration and the lines that `find_referencing_symbols` lists';

function notSupported(symbol: SymbolNode): ExpectedError {
  return signatureRefused(symbol, 'signatures of this language cannot be changed', [manually]);
}

function noFunction(symbol: SymbolNode, construction: ConstructionRules | undefined): ExpectedError {
  if (isCallable(symbol)) return signatureRefused(symbol, 'the syntax tree does not show its parameters', [manually]);
  if (!isTypeKind(symbol.kind) || construction === undefined) {
    return signatureRefused(symbol, 'it is no function', [manually]);
  }
  const name = construction.name ?? symbol.name;
  const path = `${namePathOf(symbol)}/${name}`;
  if (symbol.children.some((one) => one.name === name))
    return signatureRefused(symbol, `it is a type, whose constructor is \`${path}\``, [`pass \`${path}\``]);
  return signatureRefused(symbol, 'it declares no constructor', ['write one first']);
}

/** The declarations that change together with a target. */
interface Family {
  /** True if no declaration outside of it is among those that the server would rename with the target. */
  readonly isKnown: boolean;
  readonly others: readonly Target[];
  readonly notes: readonly string[];
}

const noFamily: Family = { isKnown: true, others: [], notes: [] };

/** Where a function is declared, called or used otherwise. */
interface FoundSites {
  readonly sites: readonly Sited[];
  readonly uncertain: readonly Sited[];
  /** What stays open whatever it says. */
  readonly open: readonly OpenSite[];
  /** See `RenameProposal.cursor`. */
  readonly cursor: number | undefined;
}

/** Returns the places of a function's name, and of those that change with it. */
async function functionSites(
  scope: EditScope,
  edits: Edits,
  { task, family }: { task: SignatureTask; family: Pick<Family, 'isKnown' | 'others'> },
): Promise<FoundSites> {
  const { active, target, rules } = task;
  const newName = `${identifierOf(target)}Resigned`;
  const proposal = await joinedProposal(scope, [target, ...family.others], {
    ...{ active, newName },
    ...(family.isKnown && { isByReferences: true }),
  });
  const overloads = rules.joinsOverloads === true ? await overloadsOf(scope, [target, ...family.others]) : [];
  const named = await placesOfName(scope, active, { target, proposal });
  const sites = await sitesAt(scope, edits, { active, places: [...named, ...overloads] });
  const aliased = await placesOfAliases(scope, active, sites);
  sites.push(...(await sitesAt(scope, edits, { active, places: aliased.places })));
  const inCode =
    rules.hasMacros === true ? sites.map((one) => withMacro(one, isName(scope, one.place, target))) : sites;
  const unknown = [...(proposal.references?.open ?? []), ...proposal.doubtful, ...aliased.open];
  const uncertain = await sitesAt(scope, edits, { active, places: unknown });
  return { sites: inCode, uncertain, open: [], cursor: proposal.cursor };
}

/** Returns where a constructor is declared and called. */
async function constructionSites(
  scope: EditScope,
  edits: Edits,
  { task, type }: { task: SignatureTask; type: SymbolNode },
): Promise<FoundSites> {
  const { active, target, rules } = task;
  const { construction } = rules;
  if (construction === undefined) throw notSupported(target.symbol);
  const found = await constructionsOf(scope, edits, { task, type, construction });
  const overloads = rules.joinsOverloads === true ? await overloadsOf(scope, [target]) : [];
  const own = await sitesAt(scope, edits, { active, places: [namePlace(target.symbol), ...overloads] });
  const named =
    construction.isCalledByName === true ? await functionSites(scope, edits, { task, family: noFamily }) : undefined;
  const sites = [...own, ...found.sites, ...(named?.sites ?? []).filter(({ place }) => isName(scope, place, target))];
  return {
    sites: distinctSites(sites),
    uncertain: [...found.uncertain, ...(named?.uncertain ?? [])],
    open: task.change.isNeutral ? [] : found.open,
    cursor: found.cursor,
  };
}

/** Returns a place as the name of a macro, unless it has the name of the function: the arguments are those of the macro. */
function withMacro(one: Sited, isName: boolean): Sited {
  return isName ? one : { ...one, site: { is: 'other', reason: 'a macro uses it here' } };
}

function isName(scope: EditScope, place: Place, target: Target): boolean {
  return textAt(scope, place) === identifierOf(target);
}

function distinctSites(sites: readonly Sited[]): Sited[] {
  return [...new Map(sites.map((one) => [placeKey(one.place), one])).values()];
}

/** Returns the members that must have the same parameters. */
async function familyOf(scope: EditScope, edits: Edits, task: SignatureTask): Promise<Family> {
  const { active, target, change, mayBreak } = task;
  const { symbol } = target;
  if (!mayBreak && !change.isNeutral) refuseImplicitCalls(symbol, active);
  const overrides = await overridesOf(scope, { target: symbol });
  if (overrides === undefined) return { isKnown: false, others: [], notes: [] };
  if (!mayBreak) requireOwn(task, overrides);
  const members = overrides.members.filter(({ file }) => scope.files.sources.serverOf(file) === active);
  const unknown = listed(overrides.unknown.map((type) => `\`${type}\``));
  return {
    isKnown: active.spec.adapter?.listsOverriddenMembers !== true,
    others: members.map((one) => ({ symbol: one, draft: edits.open(one.file) })),
    notes:
      unknown === '' ? [] : [`members that it may override are unknown: the language server cannot resolve ${unknown}`],
  };
}

/** Returns the declarations that change together with the target. */
async function alsoChanged(
  scope: EditScope,
  { target: { symbol } }: SignatureTask,
  { edits }: SignaturePlan,
): Promise<SymbolNode[]> {
  const found: SymbolNode[] = [];
  for (const [file, own] of Map.groupBy(edits.declarations, (place) => place.file)) {
    const starts = own.map(({ range }) => range.start);
    const declared = symbolsNamedAt(await scope.files.treeOf(file, scope.call), starts);
    found.push(...declared.filter((one) => nameKey(one) !== nameKey(symbol)));
  }
  return found;
}

function refuseImplicitCalls(symbol: SymbolNode, { spec }: ActiveServer): void {
  const isMember = (symbol.parent ?? symbol.receiver) !== undefined;
  const called = implicitCall(languageIdOf(spec, symbol.file) ?? '', { name: symbol.name, isMember }, '');
  if (called !== undefined) throw signatureRefused(symbol, called, [force]);
}

function requireOwn(
  { target: { symbol }, change }: SignatureTask,
  { outside, implementedOutside, isPartial }: Overrides,
): void {
  const others = [...outside, ...implementedOutside];
  if (others.length > 0 && !change.isNeutral) {
    const named = listed(others.map(describeMember));
    throw signatureRefused(symbol, `members outside the project must have the same parameters: ${named}`, [force]);
  }
  if (isPartial) throw signatureRefused(symbol, notAllFound, ['raise `tool_timeout`', force]);
}

function stepsOf(edits: SignatureEdits): WorkspaceStep[] {
  return edits.files.flatMap(({ draft, nested }): WorkspaceStep[] => {
    const { text, starts } = textLines(draft.text);
    const own = nested.outermost().map(({ start, end, text: newText }) => {
      return { range: { start: positionAt(text, starts, start), end: positionAt(text, starts, end) }, newText };
    });
    return own.length === 0 ? [] : [{ do: 'edit', file: draft.path, edits: own }];
  });
}

function lineAt({ file, range }: Place) {
  return { file, line: range.start.line };
}

function importsNote(files: readonly string[]): string[] {
  return files.length === 0 ? [] : [`added imports in ${namedFiles([...files].sort())}`];
}

/**
 * Tries the planned changes, and plans the imports that they need: asks the language server about the changed files and
 * those that use the function. Errors on lines that stay open are no reason to refuse, because the answer names these
 * lines. Returns the files with new imports.
 *
 * @throws {ExpectedError} `edit.refused` with the errors that the files do not have now.
 */
async function requireNoErrors(
  scope: EditScope,
  edits: Edits,
  { task, plan }: { task: SignatureTask; plan: SignaturePlan },
): Promise<readonly string[]> {
  const { active } = task;
  const { encoding } = scope.files.project.config;
  const read = () => edits.changes.map((change) => readChange(change, encoding));
  const textsOf = (changes: readonly ChangedText[]) =>
    new Map(changes.flatMap(({ path, after }) => (after === undefined ? [] : [[path, after]])));
  let changes = read();
  const paths = changes.map(({ path }) => path);
  if (!canTry(active, paths)) return [];
  let tried = await tryChanges(scope, { changes, isComplete: true });
  const firstLines = new Map(plan.edits.files.map(({ draft, nested }) => [draft.path, firstLine(draft, nested)]));
  const broken = { active, texts: textsOf(changes), errors: newErrors(tried), firstLines };
  const imports = await addedImports(scope, broken);
  if (imports.length > 0) {
    await planServerEdit(scope, edits, { steps: imports, active, name: undefined });
    changes = read();
    tried = await tryChanges(scope, { changes, isComplete: true });
  }
  const move = placeMover(scope, edits);
  // An error on a line with other calls may be theirs.
  const alone = plan.open.filter(({ place }) => !plan.plain.has(lineKey(place)));
  const known = new Set(alone.map(({ place }) => lineKey(move(place).after)));
  const isOpen = ({ file, diagnostic: { range } }: FileProblem) => known.has(lineKey({ file, range }));
  const errors = newErrors(tried).filter((error) => !isOpen(error));
  if (errors.length > 0 && !task.mayBreak) {
    const count = counted(errors.length, 'new error');
    const reason = `it would cause ${count} (0-based lines of the changed text): ${describeProblems(errors)}`;
    throw signatureRefused(task.target.symbol, reason, [force]);
  }
  scope.problems.keep(textsOf(changes), tried);
  return imports.map(({ file }) => file);
}

/** Returns the first line of a file that is changed, 0-based. */
function firstLine({ text, lines: { starts } }: FileDraft, nested: NestedEdits): number {
  return positionAt(text, starts, Math.min(...nested.outermost().map(({ start }) => start))).line;
}
