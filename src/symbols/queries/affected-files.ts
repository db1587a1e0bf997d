import { remainingMs } from '../../base/call.ts';
import type { ChangedFiles } from '../../project/changed-files.ts';
import { isTestFile } from '../model/is-test.ts';
import { isCallable } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { type ChangedState, changedStates, remainingMatches } from './changed-symbols.ts';
import { exhaustiveLimits, findImpacts } from './impacts.ts';

/** The files that a change reaches, sorted. */
export interface AffectedFiles {
  /** Files with symbols that use what changed, over any number of levels. */
  readonly users: readonly string[];
  /** Files with tests that use what changed, or that changed themselves. */
  readonly tests: readonly string[];
}

/**
 * Returns the files that a change reaches. Of a file without an earlier state every symbol counts as changed. Whoever asks
 * runs what is returned, so that the search goes much further than that of an answer to read.
 */
export async function affectedFiles(scope: SymbolScope, between: ChangedFiles): Promise<AffectedFiles> {
  const startedAt = performance.now();
  const { states, changes } = await changedStates(scope, between);
  const { moved, changed, deleted } = changes;
  const symbols = new Set([...moved.map(({ to }) => to), ...changed, ...states.flatMap(symbolsOfNew)]);
  const impacts = await findImpacts(scope, [...symbols], startedAt, exhaustiveLimits(remainingMs(scope.call)));
  const remaining = await remainingMatches(scope, deleted);
  const users = [...impacts.values()].flatMap((impact) => [...impact.users, ...impact.indirect, ...impact.tests]);
  const present = states.flatMap(({ path, now }) => (now === undefined ? [] : [path]));
  const using = [
    ...users.map(({ symbol }) => symbol.file),
    ...[...remaining.values()].flatMap((matches) => matches.map(({ file }) => file)),
  ];
  const tests = [...impacts.values()].flatMap((impact) => impact.tests.map(({ symbol }) => symbol.file));
  return {
    users: sorted(using),
    tests: sorted([...tests, ...[...using, ...present].filter(isTestFile)]),
  };
}

function sorted(files: readonly string[]): string[] {
  return [...new Set(files)].sort();
}

/** Returns all symbols of a file without an earlier state that other files can use. */
function symbolsOfNew({ old, now }: ChangedState): SymbolNode[] {
  return old !== undefined || now === undefined ? [] : now.tree.flatMap(usable);
}

function usable(symbol: SymbolNode): SymbolNode[] {
  return isCallable(symbol) ? [symbol] : [symbol, ...symbol.children.flatMap(usable)];
}
