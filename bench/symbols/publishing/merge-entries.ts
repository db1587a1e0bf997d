import type { Entry } from './entry.ts';

/** The entries to publish, and a sentence about each one that stayed although there is another. */
export interface Merged {
  readonly entries: readonly Entry[];
  readonly kept: readonly string[];
}

/**
 * Adds entries of one package each to the published ones, where each replaces that of the same contender, task and
 * package. An entry with fewer questions, of an earlier day, or of a contender that could not be asked replaces a better
 * one only if `mayReplaceBetter`. An entry of several packages goes when each of them has an entry of its own; until then
 * those wait, which `shownEntries` leaves out.
 */
export function mergeEntries(published: readonly Entry[], added: readonly Entry[], mayReplaceBetter: boolean): Merged {
  let entries = [...published];
  const kept: string[] = [];
  for (const entry of added) {
    const others = entries.filter((other) => isSameRow(other, entry) && includesAll(other, entry));
    const better = others.find((other) => !isAtLeastAsGood(entry, other));
    if (better !== undefined && !mayReplaceBetter) {
      kept.push(`kept ${titleOf(better)}, not ${titleOf(entry)}; --replace overrides this`);
      continue;
    }
    entries = entries.filter((other) => !(others.includes(other) && includesAll(entry, other)));
    entries.push(entry);
  }
  entries = entries.filter((entry) => !isSuperseded(entry, entries));
  const shown = new Set(shownEntries(entries));
  for (const entry of entries) {
    if (!shown.has(entry)) kept.push(`${titleOf(entry)} waits until its row has entries of all packages`);
  }
  return { entries, kept };
}

/** Returns the entries that count: those whose packages no entry of more packages includes. */
export function shownEntries(entries: readonly Entry[]): Entry[] {
  const wide = entries.filter(({ packages }) => Object.keys(packages).length > 1);
  return entries.filter(
    (entry) => !wide.some((other) => other !== entry && isSameRow(other, entry) && includesAll(other, entry)),
  );
}

function isSameRow(some: Entry, other: Entry): boolean {
  return some.language === other.language && some.task === other.task && some.contender === other.contender;
}

function includesAll(some: Entry, other: Entry): boolean {
  return Object.keys(other.packages).every((name) => name in some.packages);
}

function isAtLeastAsGood(entry: Entry, other: Entry): boolean {
  const isAsLarge = Object.entries(entry.packages).every(([name, count]) => count >= (other.packages[name] ?? 0));
  const isAsNew = entry.measured.date >= other.measured.date;
  return isAsLarge && isAsNew && (entry.problem === undefined || other.problem !== undefined);
}

function isSuperseded(entry: Entry, entries: readonly Entry[]): boolean {
  const names = Object.keys(entry.packages);
  const single = entries.filter((other) => isSameRow(other, entry) && Object.keys(other.packages).length === 1);
  return names.length > 1 && names.every((name) => single.some(({ packages }) => name in packages));
}

function titleOf({ language, task, contender, packages, measured, problem }: Entry): string {
  const counts = Object.entries(packages).map(([name, count]) => `${name} (${count})`);
  const about = problem === undefined ? measured.date : `${measured.date}, ${problem}`;
  return `${language} ${task} of ${contender} in ${counts.join(', ')} of ${about}`;
}
