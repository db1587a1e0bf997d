import { homedir } from 'node:os';
import { median } from '../../speed/table.ts';
import { type EditResult, rightVerdicts } from '../edits/edit-result.ts';
import { symbenchCache } from '../packages.ts';
import { countsOf } from './counts-of.ts';
import type { Entry, Failure } from './entry.ts';
import { groupsOf } from './groups-of.ts';
import { latest } from './latest.ts';
import { rounded } from './rounded.ts';

/** Long enough for the expressions that find a cause. */
const maxDetail = 600;

/** Returns one entry for each contender, task and package. */
export function entriesOfEdits(results: readonly EditResult[]): Entry[] {
  return groupsOf(results).map(toEntry);
}

function toEntry(own: readonly [EditResult, ...EditResult[]]): Entry {
  const [{ language, task, contender, package: name }] = own;
  const isOurs = contender === 'this product';
  const failures = isOurs ? own.filter(({ verdict }) => !rightVerdicts.has(verdict)).map(toFailure) : [];
  return {
    language,
    task,
    contender,
    packages: { [name]: own.length },
    measured: latest(own),
    verdicts: countsOf(own),
    costs: {
      answers: own.length,
      ms: rounded(median(own.map(({ ms }) => ms))),
      tokensIn: median(own.map(({ tokensIn }) => tokensIn)),
      tokensOut: median(own.map(({ tokensOut }) => tokensOut)),
      calls: rounded(own.reduce((sum, { calls }) => sum + calls, 0) / own.length),
    },
    ...(isOurs ? {} : { questions: own.map(({ question }) => question) }),
    noted: own.filter(({ label }) => label !== undefined).length,
    ...(failures.length === 0 ? {} : { failures }),
  };
}

function toFailure({ package: name, question, verdict, label, detail }: EditResult): Failure {
  // Backticks would make a path of another package look like one of this repository.
  const flat = detail
    .replaceAll(symbenchCache, '')
    .replaceAll(homedir(), '~')
    // The directory that Cargo names after a registry.
    .replaceAll(/(\.cargo\/registry\/src)\/[^/]+/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('`', '');
  const short = flat.length > maxDetail ? `${flat.slice(0, maxDetail)} …` : flat;
  return { package: name, question, verdict, isNoted: label !== undefined, detail: short };
}
