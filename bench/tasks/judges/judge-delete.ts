import { judgeDeleted } from '../../symbols/edits/delete-task.ts';
import type { EditResult } from '../../symbols/edits/edit-result.ts';
import type { DeleteTask, TaskVerdict } from '../model.ts';
import { symbolOf } from '../truth.ts';
import type { Subject, TaskJudge } from './judge.ts';

const verdicts: Readonly<Partial<Record<EditResult['verdict'], TaskVerdict>>> = {
  'deleted unused': 'complete',
  'refused used': 'complete',
  'refused unused': 'refused',
  'deleted used': 'broken',
  damaged: 'over-edited',
};

/** Judges a deletion: one of a symbol that is used has to be refused. */
export async function deleteJudge({ task, facts }: Subject<DeleteTask>): Promise<TaskJudge> {
  const symbol = symbolOf(task, await facts.list());
  const found = await facts.deletion(symbol);
  const [use] = task.unresolved ?? [];
  const truth = use === undefined ? found : { ...found, problem: `used at ${use}` };
  return {
    symbol,
    truth,
    places: 1,
    async judge(bench, { claim, said }) {
      const isRefused = claim !== 'done' && bench.scratch.changed().length === 0;
      const answer = { outcome: isRefused ? 'refused' : 'done', label: said } as const;
      const { verdict, detail } = await judgeDeleted(bench, truth, answer);
      return { verdict: verdicts[verdict] ?? 'over-edited', detail: verdict === 'refused used' ? '' : detail };
    },
  };
}
