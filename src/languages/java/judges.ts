import { ExpectedError } from '../../base/errors.ts';
import { requestReferences, requestTypeDefinition } from '../../lsp/features/locations.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { Renaming } from '../../symbols/adapter.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import { readable, type SymbolScope } from '../../symbols/model/scope.ts';
import { nameKey, namePlace, type SymbolNode } from '../../symbols/model/symbol.ts';
import { spanOf } from '../../symbols/model/text-range.ts';
import type { Inquiry, Judge, Ruling, SymbolQuestion } from '../../symbols/occurrences/ledger.ts';
import type { Occurrence } from '../../symbols/occurrences/occurrence.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { comparePositions, isOutside, isSamePlace, keyAt, type Place, placeAt, placeKey } from '../../text/place.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import { erasure } from './types.ts';

/** Text around a name that is searched for the rest of the expression. */
const maxChars = 200;
const beforeName = /(?<word>[\p{L}_$][\p{L}\p{N}_$]*)?\s*::\s*(?:<[^<>]*>\s*)?$/u;
/**
 * jdtls 1.59 leads the variable in `if (!(name instanceof Type) && …)` to a method. `=` follows a member of an annotation,
 * `;` a static import; a comment or a Unicode escape may precede them.
 */
const behindMethod = /^\s*[(=;/\\]/;
const constructorAfterName = /^\s*(?:<[^<>]*>\s*)?::\s*new\b/;

/**
 * jdtls resolves the name in a method reference to the function type of the expression, not to the method:
 *
 * ```java
 * class Item { String label() { return ""; } }
 * Function<Item, String> toText = Item::label;
 * // the definition of `label` is `Function.apply`
 * ```
 *
 * Decides such an occurrence by the type before it; which of several overloads it means stays open. What cannot be a
 * method is none, if the server resolves it to methods nevertheless.
 */
export const methodReferenceJudge: Judge<SymbolScope> = {
  name: 'method reference',
  open: async (scope, inquiry) => {
    return async (candidate) => (candidate.isListed ? undefined : rulingOf(scope, inquiry, candidate));
  },
};

const own: Ruling = { verdict: 'own', reason: 'the type before `::` declares the symbol' };
const other: Ruling = { verdict: 'other', reason: 'the type before `::` has another method of this name' };
const noMethod: Ruling = { verdict: 'other', reason: 'it is no method' };
const overloaded: Ruling = { verdict: 'open', reason: 'it may mean any overload' };
const open: Ruling = { verdict: 'open', reason: 'the expression before `::` has no known type' };

async function rulingOf(
  scope: SymbolScope,
  { server, target, name, overloads }: Inquiry,
  occurrence: Occurrence,
): Promise<Ruling | undefined> {
  const { text, starts } = scope.files.textOf(occurrence.file);
  const offset = offsetAt(text, starts, occurrence.range.start);
  const end = offsetAt(text, starts, occurrence.range.end);
  if (offset === undefined || end === undefined) return undefined;
  const after = text.slice(end, end + maxChars);
  const isConstructor = target.kind === kinds.constructor && constructorAfterName.test(after);
  const before = beforeName.exec(text.slice(Math.max(0, offset - maxChars), offset));
  if (!isConstructor && before === null) {
    const mayBeOwn = target.kind !== kinds.method || behindMethod.test(after);
    return mayBeOwn ? undefined : noMethod;
  }
  const word = before?.groups?.word;
  if (!isConstructor && word === undefined) return open;
  const at = isConstructor || before === null ? offset : offset - before[0].length;
  if (!server.supports('textDocument/typeDefinition')) return open;
  const place = placeAt(occurrence.file, positionAt(text, starts, at));
  const { locations, others } = await requestTypeDefinition(server, place, scope.files.limits(scope.call));
  if (locations.some((location) => isNameOf(target.parent, location))) return overloads.length > 1 ? overloaded : own;
  // A type outside the project, or another one with a constructor, has none of the project's methods.
  if (locations.length === 0) return others.length > 0 ? other : open;
  return isConstructor || (await declares(scope, locations, name)) ? other : open;
}

function isNameOf(symbol: SymbolNode | undefined, place: Place): boolean {
  return symbol !== undefined && isSamePlace(namePlace(symbol), place);
}

/** True if all the types have a member of this name of their own; otherwise they may inherit that in question. */
async function declares(scope: SymbolScope, types: readonly Place[], name: string): Promise<boolean> {
  const has = async (location: Place) => {
    if (isOutside(location)) return false;
    const isInType = (symbols: readonly SymbolNode[]): boolean =>
      symbols.some((symbol) =>
        isNameOf(symbol, location) ? symbol.children.some((child) => child.name === name) : isInType(symbol.children),
      );
    return isInType(await scope.files.treeOf(location.file, scope.call));
  };
  return (await Promise.all(types.map(has))).every(Boolean);
}

/** An overload whose uses the server may take for those of the target, or the other way around. */
interface ConfusedOverload {
  readonly node: SymbolNode;
  /**
   * Which of the two is written with longer names of types, so that the server finds only its own uses; `undefined` if
   * neither is.
   */
  readonly exact: 'overload' | 'target' | undefined;
}

/**
 * jdtls compares parameters by the simple names of their types, and mistakes uses of one overload for those of the other:
 *
 * ```java
 * void add(List items) {}
 * void add(java.awt.List items) {}   // a rename of the first one renames uses of this one
 * shop.add(new java.awt.List());
 * ```
 *
 * Returns the overloads that it may mistake for a method.
 */
async function confusedOverloads(scope: SymbolScope, target: SymbolNode): Promise<ConfusedOverload[]> {
  if (target.kind !== kinds.method || target.overloadIndex === undefined) return [];
  const types = await syntaxTrees.javaTypes(scope.files.textOf(target.file).text);
  const methods = types.flatMap((type) => type.methods);
  const typesOf = ({ selectionRange: { start } }: SymbolNode) =>
    methods.find((method) => comparePositions(method.start, start) === 0)?.parameters.map(erasure);
  const own = typesOf(target);
  if (own === undefined) return [];
  const siblings = target.parent?.children.filter((node) => node !== target && node.name === target.name) ?? [];
  return siblings.flatMap((node): ConfusedOverload[] => {
    const types = typesOf(node);
    if (types?.length !== own.length || types.some((type, index) => simple(type) !== simple(own[index] ?? '')))
      return [];
    const lengths = types.map((type, index) => type.length - (own[index] ?? '').length);
    const isLonger = lengths.some((length) => length > 0);
    const isShorter = lengths.some((length) => length < 0);
    return [{ node, exact: isLonger === isShorter ? undefined : isLonger ? 'overload' : 'target' }];
  });
}

/** Decides that listed references of a method which are uses of its overloads are other symbols. */
export const overloadJudge: Judge<SymbolScope> = {
  name: 'overload',
  open: async (scope, { server, target, listed }) => {
    const others = new Set<string>();
    for (const { node, exact } of listed.length === 0 ? [] : await confusedOverloads(scope, target)) {
      if (exact !== 'overload') continue;
      const uses = await requestReferences(server, namePlace(node), scope.files.limits(scope.call));
      for (const use of uses) others.add(placeKey(use));
    }
    if (others.size === 0) return undefined;
    return async (candidate) => (candidate.isListed && others.has(placeKey(candidate)) ? overload : undefined);
  },
};

const overload = { verdict: 'other', reason: 'it uses an overload' } as const;

function simple(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1);
}

/**
 * Returns the steps of a method's rename without the edits of its overloads, which some servers take for the method: of
 * two that the server would rename in the same places, the one whose types are written with longer names has them.
 *
 * @throws {ExpectedError} `edit.refused` if the server's answers do not show which of the two has them; `server.*`.
 */
export async function withoutOverloads(
  scope: SymbolScope,
  { server, target }: SymbolQuestion,
  { steps, rename }: Renaming,
): Promise<readonly WorkspaceStep[]> {
  const overloads = await confusedOverloads(scope, target);
  if (overloads.length === 0) return steps;
  const own = placesOf(steps);
  let left = steps;
  for (const { node, exact } of overloads) {
    const theirs = placesOf(await rename(namePlace(node)));
    if (own.isDisjointFrom(theirs)) continue;
    const mixesBoth = exact === 'overload' ? theirs.has(nameKey(target)) : exact !== 'target' || own.has(nameKey(node));
    if (mixesBoth) {
      throw new ExpectedError(
        'edit.refused',
        `cannot rename \`${namePathOf(target)}\`: ${server.name} also renames uses of \`${namePathOf(node)}\`, whose parameters have types of the same names`,
        { hints: ['call `find_referencing_symbols` and edit each reference'] },
      );
    }
    if (exact === 'overload') left = left.map((step) => without(step, theirs));
  }
  return left;
}

function without(step: WorkspaceStep, places: ReadonlySet<string>): WorkspaceStep {
  if (step.do !== 'edit') return step;
  return { ...step, edits: step.edits.filter(({ range }) => !places.has(keyAt(step.file, range.start))) };
}

function placesOf(steps: readonly WorkspaceStep[]): ReadonlySet<string> {
  const edits = steps.flatMap((step) => (step.do === 'edit' ? step.edits.map((edit) => ({ step, edit })) : []));
  return new Set(edits.map(({ step, edit }) => keyAt(step.file, edit.range.start)));
}

const passesArguments = /\bsuper\s*\(\s*[^)\s]/;

/**
 * jdtls lists no references to a constructor that the class needs to compile:
 *
 * ```java
 * class Base { Base(String name) {} }
 * class Sub extends Base { Sub(String name) { super(name); } }   // without it, `Sub` calls `super()`
 * ```
 *
 * Returns why the only constructor of a class is used; `undefined` for other symbols.
 */
export function whyUsed(scope: SymbolScope, _: ActiveServer, symbol: SymbolNode): string | undefined {
  const { kind, parent, file, range } = symbol;
  const others = parent?.children.filter((node) => node.kind === kinds.constructor && node !== symbol) ?? [];
  if (kind !== kinds.constructor || others.length > 0) return undefined;
  const lines = readable(scope, file);
  const span = lines && spanOf(lines, range);
  if (lines === undefined || span === undefined) return undefined;
  if (!passesArguments.test(lines.text.slice(span.start, span.end))) return undefined;
  return `without it \`${parent?.name ?? ''}\` has a constructor that calls \`super()\` without arguments`;
}
