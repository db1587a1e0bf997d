import type { EditResult } from './edits/edit-result.ts';
import type { Result } from './tasks.ts';
import type { TimeResult } from './times-task.ts';

/** Numbers of verdicts of one contender in one task and language. */
interface Count {
  readonly language: string;
  readonly task: string;
  readonly contender: string;
  readonly verdicts: Readonly<Record<string, number>>;
}

interface Summary {
  readonly counts: readonly Count[];
  readonly times: readonly TimeResult[];
}

/** Returns what the tables say, for other programs. */
export function summaryOf(
  results: readonly Result[],
  edits: readonly EditResult[],
  times: readonly TimeResult[],
): Summary {
  const all = [...results, ...edits].map(({ language, task, contender, verdict }) => ({
    language,
    task,
    contender,
    verdict,
  }));
  const groups = Map.groupBy(all, ({ language, task, contender }) => JSON.stringify([language, task, contender]));
  const counts = [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const byVerdict = Map.groupBy(own, ({ verdict }) => verdict);
    const verdicts = Object.fromEntries([...byVerdict].map(([verdict, list]) => [verdict, list.length]));
    return [{ language: first.language, task: first.task, contender: first.contender, verdicts }];
  });
  return { counts, times };
}
