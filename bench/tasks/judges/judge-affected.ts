import type { AnsweredPosition, Position } from '../../symbols/model.ts';
import type { AffectedTask, Judgement, Work } from '../model.ts';
import { affectedOf, placeKey, symbolOf } from '../truth.ts';
import { judgeLeft, named, type Subject, type TaskJudge } from './judge.ts';

/** Compares a list of affected lines with the compiler's. */
export async function affectedJudge(subject: Subject<AffectedTask>): Promise<TaskJudge> {
  const { task, facts, directory } = subject;
  const symbol = symbolOf(task, await facts.list());
  const truth = await affectedOf(task, facts, directory);
  const must = byLine(truth.must);
  const allowed = byLine([...truth.must, ...truth.may]);
  return {
    symbol,
    truth,
    places: must.size,
    judge: async (_bench, work) => judgeList({ must, allowed }, work),
  };
}

interface Lines {
  readonly must: ReadonlyMap<string, Position>;
  readonly allowed: ReadonlyMap<string, Position>;
}

function judgeList({ must, allowed }: Lines, work: Work): Judgement {
  if (work.claim === 'refused') return { verdict: 'refused', detail: '' };
  const places = work.places ?? [];
  const left = [...must.values()].filter((place) => !places.some((one) => covers(one, place)));
  const wrong = places.filter((one) => ![...allowed.values()].some((place) => covers(one, place)));
  if (wrong.length > 0) return { verdict: 'over-edited', detail: named(wrong.map(placeKey)) };
  return judgeLeft(left, work) ?? { verdict: 'complete', detail: '' };
}

/** Some agents name the definition around a place. */
function covers({ file, line, endLine }: AnsweredPosition, place: Position): boolean {
  return file === place.file && line <= place.line && place.line <= (endLine ?? line);
}

function byLine(places: readonly Position[]): Map<string, Position> {
  return new Map(places.map((place) => [`${place.file}:${place.line}`, place]));
}
