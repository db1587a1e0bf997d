import type { TimeResult } from '../times-task.ts';
import type { Entry } from './entry.ts';
import { latest } from './latest.ts';
import { rounded } from './rounded.ts';

/** Returns one entry for each contender and package. */
export function entriesOfTimes(times: readonly TimeResult[]): Entry[] {
  return times.map(({ language, package: name, contender, coldMs, warmMs, measured }) => ({
    language,
    task: 'times',
    contender,
    packages: { [name]: 1 },
    measured: latest([{ measured }]),
    verdicts: {},
    times: { coldMs: rounded(coldMs), warmMs: rounded(warmMs) },
  }));
}
