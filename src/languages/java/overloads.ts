import { ExpectedError } from '../../base/errors.ts';
import { requestReferences } from '../../lsp/features/locations.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { Renaming } from '../../symbols/adapter.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { nameKey, namePlace, type SymbolNode } from '../../symbols/model/symbol.ts';
import type { Judge, SymbolQuestion } from '../../symbols/occurrences/ledger.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { comparePositions, keyAt, placeKey } from '../../text/place.ts';
import { erasure } from './types.ts';

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
