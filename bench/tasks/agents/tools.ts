import type { EditAnswer, EditContender } from '../../symbols/edits/model.ts';
import type { Answer, BenchSymbol, Contender, ContenderRun } from '../../symbols/model.ts';
import { sumOfCosts } from '../../symbols/running/answer-cost.ts';
import type { Agent, Assignment, Work } from '../model.ts';

/** The adapters of one product in `bench/symbols`. */
interface Product {
  readonly asks: Contender;
  readonly edits?: EditContender;
}

/** Returns an agent that makes the obvious calls of a product over MCP, and believes the answers. */
export function toolsAgent({ asks, edits }: Product): Agent {
  const notes = [
    ...(edits === undefined ? ['It changes nothing.'] : [edits.note]),
    'Lists: the calls that [symbench.md](symbench.md) describes.',
  ];
  return {
    name: asks.name,
    note: notes.join(' '),
    version: asks.version,

    async work(assignment) {
      const { task, symbol } = assignment;
      if (symbol === undefined) return undefined;
      if (task.kind === 'affected') return list(asks, assignment, symbol);
      if (edits === undefined || (task.kind !== 'rename' && task.kind !== 'delete')) return undefined;
      return change(edits, assignment, symbol);
    },
  };
}

async function change(
  edits: EditContender,
  { task, pack, directory }: Assignment,
  symbol: BenchSymbol,
): Promise<Work | undefined> {
  const run = await edits.start(pack, directory);
  try {
    const answer = task.kind === 'rename' ? await run.rename(symbol, task.newName) : await run.safeDelete(symbol);
    return answer.outcome === 'cannot' ? undefined : editWork(answer);
  } finally {
    await run.stop();
  }
}

function editWork({ outcome, label = '', cost }: EditAnswer): Work {
  const claim = outcome === 'refused' ? 'refused' : 'done';
  return {
    claim,
    said: label,
    calls: cost?.calls ?? 0,
    charsIn: cost?.charsIn ?? 0,
    charsOut: cost?.chars ?? 0,
    ms: cost?.ms ?? 0,
  };
}

async function list(
  contender: Contender,
  { task, pack, directory }: Assignment,
  symbol: BenchSymbol,
): Promise<Work | undefined> {
  const run = await contender.start(pack, directory);
  try {
    const answers = [await run.references(symbol), ...(await overriding(run, task, symbol))];
    if (answers.some(({ outcome }) => outcome === 'cannot')) return undefined;
    const { calls, charsIn, chars, ms } = sumOfCosts(answers);
    const isRefused = answers.some(({ outcome }) => outcome === 'refused');
    const said = answers.flatMap(({ label }) => label ?? []).join('\n');
    const places = answers.flatMap(({ positions }) => positions);
    return { claim: isRefused ? 'refused' : 'done', said, places, calls, charsIn, charsOut: chars, ms };
  } finally {
    await run.stop();
  }
}

async function overriding(run: ContenderRun, task: Assignment['task'], symbol: BenchSymbol): Promise<Answer[]> {
  const isAsked = task.kind === 'affected' && task.isOverridden;
  return isAsked && run.implementations !== undefined ? [await run.implementations(symbol)] : [];
}
