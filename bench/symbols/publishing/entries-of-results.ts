import { median } from '../../speed/table.ts';
import { symbenchCache } from '../packages.ts';
import { notMeasured, type Result } from '../tasks.ts';
import { countsOf } from './counts-of.ts';
import type { Costs, Entry, Failure } from './entry.ts';
import { groupsOf } from './groups-of.ts';
import { latest } from './latest.ts';
import { rounded } from './rounded.ts';

const maxNamed = 3;

/** Returns one entry for each contender, task and package. */
export function entriesOfResults(results: readonly Result[]): Entry[] {
  return groupsOf(results).map(toEntry);
}

function toEntry(own: readonly [Result, ...Result[]]): Entry {
  const [{ language, task, contender, package: name }] = own;
  const [problem] = own.flatMap(({ label }) => (label?.startsWith(notMeasured) ? [firstLine(label)] : []));
  const peaks = own.flatMap(({ megabytes }) => megabytes ?? []);
  const failures = contender === 'this product' ? own.filter(({ verdict }) => verdict !== 'exact').map(toFailure) : [];
  const costs = costsOf(own);
  const charged = own.filter(({ verdict, tokensIn }) => verdict !== 'cannot' && tokensIn > 0);
  const tokens = charged.map(({ tokensIn, tokensOut }) => tokensIn + tokensOut);
  return {
    language,
    task,
    contender,
    packages: { [name]: own.length },
    measured: latest(own),
    ...(problem === undefined ? {} : { problem }),
    verdicts: countsOf(own),
    ...(costs === undefined ? {} : { costs }),
    ...(peaks.length === 0 ? {} : { megabytes: Math.max(...peaks) }),
    ...(tokens.length === 0 ? {} : { charged: { answers: tokens.length, tokens: median(tokens) } }),
    ...(task === 'traps' ? { traps: Object.fromEntries(own.map(({ question, verdict }) => [question, verdict])) } : {}),
    ...(failures.length === 0 ? {} : { failures }),
  };
}

function costsOf(own: readonly Result[]): Costs | undefined {
  const answered = own.filter(({ verdict }) => verdict !== 'cannot' && verdict !== 'refused');
  if (answered.length === 0) return undefined;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    answers: answered.length,
    recall: rounded(mean(answered.map(({ recall }) => recall))),
    precision: rounded(mean(answered.map(({ precision }) => precision))),
    ms: rounded(median(answered.map(({ ms }) => ms))),
    tokensIn: median(answered.map(({ tokensIn }) => tokensIn)),
    tokensOut: median(answered.map(({ tokensOut }) => tokensOut)),
    calls: rounded(mean(answered.map(({ calls }) => calls))),
  };
}

function toFailure(result: Result): Failure {
  return {
    package: result.package,
    question: result.question,
    verdict: result.verdict,
    missing: brief(result.missing, result.expected),
    extra: brief(result.extra),
  };
}

/** Returns the number of entries, of how many, and the first ones. */
function brief(entries: readonly string[], total?: number): string {
  if (entries.length === 0) return '';
  const named = entries.slice(0, maxNamed).map((entry) => `\`${entry}\``);
  const count = total === undefined ? `${entries.length}` : `${entries.length} of ${total}`;
  return `${count}: ${named.join(', ')}${entries.length > maxNamed ? ' …' : ''}`;
}

/** Returns the first line of a message, without the directory of the stored answers. */
function firstLine(message: string): string {
  return (message.split('\n', 1)[0] ?? '').replaceAll(`${symbenchCache}/`, '');
}
