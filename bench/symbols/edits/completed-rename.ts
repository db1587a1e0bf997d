import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchSymbol } from '../model.ts';
import type { Link } from './links.ts';
import type { FileLine, NamedLines } from './named-lines.ts';
import type { EditBench } from './rename-task.ts';

/** A rename after which the package is not right, and the lines that its answer names. */
interface Incomplete {
  readonly symbol: BenchSymbol;
  readonly newName: string;
  readonly named: NamedLines;
  /** Returns what is wrong with the package as it is now. */
  fault(): Promise<string | undefined>;
}

/**
 * Writes the new name also into the lines that the answer names, and returns whether the package is then right: first
 * into those that may mean the symbol, then also into those where the compiler knows no other meaning. What a rename
 * changed without need does not become right by that.
 */
export async function isCompletedByNamedLines(bench: EditBench, rename: Incomplete): Promise<boolean> {
  const { symbol, named } = rename;
  const links = await bench.links(symbol);
  const others = named.others.filter((line) => !hasOtherMeaning(line, symbol, links));
  for (const lines of [named.open, others]) {
    if (lines.length === 0) continue;
    for (const line of lines) renameIn(bench.scratch.directory, line, rename);
    if ((await rename.fault()) === undefined) return true;
  }
  return false;
}

/** True if the name in a line leads to another symbol, or declares one that names lead to. */
function hasOtherMeaning(line: FileLine, { name, at }: BenchSymbol, links: readonly Link[]): boolean {
  return links
    .filter((link) => link.name === name && !link.to.some((target) => isIn(target, at)))
    .some((link) => [link.at, ...link.to].some((place) => isIn(place, line)));
}

function isIn(place: Link['to'][number], { file, line }: FileLine): boolean {
  return typeof place === 'object' && place.file === file && place.line === line;
}

function renameIn(directory: string, { file, line }: FileLine, { symbol, newName }: Incomplete): void {
  const path = join(directory, file);
  // One character per byte, as in the snapshots of the copy.
  const lines = readFileSync(path, 'latin1').split('\n');
  lines[line] = (lines[line] ?? '').replaceAll(wholeWord(symbol.name), () => newName);
  writeFileSync(path, lines.join('\n'), 'latin1');
}

/** Returns a pattern for a name that is no part of a longer one. */
export function wholeWord(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`, 'g');
}
