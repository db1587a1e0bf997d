import { posix } from 'node:path';
import { requestDefinition } from '../../lsp/features/locations.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type {
  DefinitionsByBuild,
  LanguageAdapter,
  ProposedRename,
  Renaming,
  UncertainOccurrences,
} from '../../symbols/adapter.ts';
import { hasOneMeaning } from '../../symbols/edits/has-one-meaning.ts';
import { withoutEditsAt } from '../../symbols/edits/reference-steps.ts';
import { symbolsNamedAt } from '../../symbols/model/at-position.ts';
import { isMemberKind, kinds } from '../../symbols/model/kinds.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { nameKey, preOrder, type SymbolNode } from '../../symbols/model/symbol.ts';
import type { Judge, NameQuestion, SymbolQuestion } from '../../symbols/occurrences/ledger.ts';
import type { Occurrence } from '../../symbols/occurrences/occurrence.ts';
import { reasonsNotAnalyzed } from '../../symbols/prepare-servers/not-analyzed.ts';
import { tryShow } from '../../symbols/queries/requests.ts';
import { keyAt, type Place, placeKey } from '../../text/place.ts';
import { offsetAt } from '../../text/position.ts';
import { localImplementations } from './local-implementations.ts';
import { moveRustItem } from './move-item.ts';

/** Qualifiers of names in the same package. */
const ownPackage: readonly string[] = ['crate', '$crate', 'self', 'super'];

const none: UncertainOccurrences = { certain: [], doubtful: [] };

/**
 * rust-analyzer resolves nothing in bodies of macros and in code behind conditions:
 *
 * ```rust
 * fn open() {}
 * #[cfg(windows)] fn read() { open() }   // keeps the name `open` when the function is renamed on Unix
 * ```
 *
 * Returns the occurrences of a name that it does not analyze and that may mean the target of a rename. What is written
 * before an occurrence must lead to the target's file, type or package, or be a value of its type, and everywhere else in
 * the project's code the name must mean the target; otherwise the occurrence of a member is doubtful.
 */
async function unanalyzedOccurrences(scope: SymbolScope, renaming: ProposedRename): Promise<UncertainOccurrences> {
  const { references, target } = renaming;
  if (references?.text === undefined) return none;
  const { unchecked, unread } = references;
  const unresolved: readonly Occurrence[] = references.unresolved;
  if (unresolved.length === 0) return none;
  const owners = ownersOf(target);
  const isMember = isMemberKind(target.kind);
  const values = isMember ? await valuesOf(scope, target) : new Set<string>();
  const own = unresolved.filter((one) => {
    if (one.qualifier === '') return !isMember;
    if (one.qualifier.endsWith('::')) return owners.has(one.qualifier.slice(0, -2));
    return values.has(receiverOf(scope, one));
  });
  const isKnown = unchecked.length === 0 && unread.length === 0;
  const certain = isKnown && hasOneMeaning(scope, renaming, references) ? own : [];
  const mayBeMember = (one: Occurrence) => own.includes(one) || /(?:\.|[$>)\]][^.:]*::)$/.test(one.qualifier);
  return { certain, doubtful: unresolved.filter((one) => isMember && mayBeMember(one) && !certain.includes(one)) };
}

/** Returns the expressions that are values of the target's type wherever they stand: `Type::Variant`. */
async function valuesOf(scope: SymbolScope, target: SymbolNode): Promise<ReadonlySet<string>> {
  const type = containerOf(target);
  const tree = await scope.files.treeOf(target.file, scope.call);
  const variants = preOrder(tree).filter(({ parent }) => parent?.kind === kinds.enum && parent.name === type);
  return new Set(variants.map(({ name }) => `${type}::${name}`));
}

/** Returns the path before the `.` of an occurrence, `a::b`, or nothing if another expression is there. */
function receiverOf(scope: SymbolScope, { file, range }: Occurrence): string {
  const { text, starts } = scope.files.textOf(file);
  const before = text.slice(0, offsetAt(text, starts, range.start) ?? 0);
  return (
    /(?<![\p{L}\p{N}_:.$>)])(?:\$?[\p{L}\p{N}_]+::)*?([\p{L}\p{N}_]+::[\p{L}\p{N}_]+)\s*\.\s*$/u.exec(before)?.[1] ?? ''
  );
}

/** Returns the names through which code reaches the target: its package, file, directory and containing symbol. */
function ownersOf({ file, parent, kind }: SymbolNode): ReadonlySet<string> {
  const { name: stem, dir } = posix.parse(file);
  const container = containerOf({ parent });
  const inside = container === undefined ? [] : [container, 'Self'];
  return new Set(isMemberKind(kind) ? inside : [...ownPackage, stem, posix.basename(dir), ...inside]);
}

/** Returns the name of the type that a symbol is in: `impl<T> Trait for Type<T>` is for the last name before arguments. */
function containerOf({ parent }: Pick<SymbolNode, 'parent'>): string | undefined {
  return parent === undefined ? undefined : /([\p{L}\p{N}_]+)(?:<.*>)?$/u.exec(parent.name)?.[1];
}

/**
 * rust-analyzer renames only what the build contains:
 *
 * ```rust
 * #[cfg(unix)] fn open() {}
 * #[cfg(windows)] fn open() {}   // stays as it is when the other one is renamed
 * fn main() { open() }
 * ```
 *
 * Returns the target and the other definitions of its name path in its file. `excluded` is empty if the target is the only
 * one, or if the server does not report what it does not analyze.
 *
 * @throws {ExpectedError} `server.*`.
 */
async function conditionalDefinitions(
  scope: SymbolScope,
  { active, server, target }: SymbolQuestion,
): Promise<DefinitionsByBuild> {
  const alone = { analyzed: [target], excluded: [] };
  const tree = await scope.files.treeOf(target.file, scope.call);
  const alike = preOrder(tree).filter((node) => isAlike(node, target));
  if (alike.length < 2) return alone;
  const reasonAt = await reasonsNotAnalyzed(scope, { active, server, file: target.file });
  const isAnalyzed = ({ selectionRange }: SymbolNode) => reasonAt(selectionRange.start) === undefined;
  return { analyzed: alike.filter(isAnalyzed), excluded: alike.filter((node) => !isAnalyzed(node)) };
}

/** A module does not take the place of a function or a type of its name. */
function isAlike(node: SymbolNode, target: SymbolNode): boolean {
  return numberless(node) === numberless(target) && (node.kind === kinds.module) === (target.kind === kinds.module);
}

function numberless(symbol: SymbolNode): string {
  return namePathOf(symbol).replaceAll(/\[\d+\]/g, '');
}

/**
 * rust-analyzer sometimes lists or renames uses of a variable as those of the function that gave the variable its value:
 *
 * ```rust
 * let total = total();
 * println!("{total}");   // listed as a reference to the function
 * ```
 *
 * Returns those of the locations, which it lists as references or would rename, that it resolves to another place of the
 * name in their file.
 *
 * @throws {ExpectedError} `server.*`.
 */
async function usesOfVariables(
  scope: SymbolScope,
  { server, target, text }: NameQuestion,
  listed: readonly Place[],
): Promise<Place[]> {
  if (isMemberKind(target.kind) || text === undefined) return [];
  const known = new Set([nameKey(target), ...listed.map(placeKey)]);
  const found: Place[] = [];
  for (const { path: file, places } of (await text()).files) {
    const open = places.filter((one) => !known.has(keyAt(file, one)));
    const here = open.length === 0 ? [] : listed.filter((location) => location.file === file);
    if (here.length === 0 || !(await tryShow(scope, server, file))) continue;
    // Servers list no variables of functions as symbols.
    const tree = await scope.files.treeOf(file, scope.call);
    const symbols = new Set(symbolsNamedAt(tree, open).map(nameKey));
    const variables = new Set(open.map((one) => keyAt(file, one)).filter((key) => !symbols.has(key)));
    for (const location of here) {
      const { locations } = await requestDefinition(server, location, scope.files.limits(scope.call));
      if (locations.length > 0 && locations.every((one) => variables.has(placeKey(one)))) {
        found.push(location);
      }
    }
  }
  return found;
}

/** Decides that listed references which are uses of variables are other symbols. */
const variableJudge: Judge<SymbolScope> = {
  name: 'variable',
  open: async (scope, inquiry) => {
    const found = new Set((await usesOfVariables(scope, inquiry, inquiry.listed)).map(placeKey));
    if (found.size === 0) return undefined;
    return async (candidate) => (candidate.isListed && found.has(placeKey(candidate)) ? variable : undefined);
  },
};

const variable = { verdict: 'other', reason: 'it is a variable of this name' } as const;

/** Returns the steps of a rename without the edits of such variables. */
async function withoutVariables(
  scope: SymbolScope,
  question: NameQuestion,
  { steps }: Renaming,
): Promise<WorkspaceStep[]> {
  const edited = steps.flatMap((step) =>
    step.do === 'edit' ? step.edits.map(({ range }) => ({ file: step.file, range })) : [],
  );
  return withoutEditsAt(steps, await usesOfVariables(scope, question, edited));
}

export const adapter: LanguageAdapter<SymbolScope> = {
  judges: [variableJudge],
  omittedImplementations: localImplementations,
  definitionsByBuild: conditionalDefinitions,
  withoutOtherSymbols: withoutVariables,
  uncertainOccurrences: unanalyzedOccurrences,
  moveSymbol: moveRustItem,
  movesSymbolsAnyway: true,
};
