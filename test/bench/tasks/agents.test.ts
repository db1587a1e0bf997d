// The agent that uses the command line, at small tasks like those of the benchmark: it is never falsely done, and needs few
// calls and characters.
import { expect } from 'bun:test';
import { join } from 'node:path';
import { outcomeOf } from '../../../bench/symbols/edits/run-edits.ts';
import { Scratch } from '../../../bench/symbols/edits/scratch.ts';
import { python } from '../../../bench/symbols/languages/python.ts';
import { commandLineAgent } from '../../../bench/tasks/agents/command-line.ts';
import { judgeOf } from '../../../bench/tasks/judge.ts';
import { isFalseDone } from '../../../bench/tasks/judges/judge.ts';
import type { Task } from '../../../bench/tasks/model.ts';
import { factsOf } from '../../../bench/tasks/truth.ts';
import { programCommand } from '../../support/client.ts';
import { ownHome } from '../../support/homes.ts';
import { testUnless, whyNoProgram } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';
import { knownPackage } from '../symbols/judges/known-package.ts';

const files = {
  'shapes.py': `class Shape:
    def area(self):
        return 0.0

    def get_edges(self):
        return []


class Square(Shape):
    def area(self):
        return 4.0
`,
  'report.py': `from shapes import Square


class Field:
    def area(self):
        return "a meadow"


def both(shape, field: Field):
    print(shape.area(), Square().area())
    print(field.area(), getattr(shape, "get_edges")())
`,
};

const about = { language: 'python', package: 'shapes' } as const;

const tasks: readonly { task: Task; verdict: string }[] = [
  {
    task: {
      ...about,
      name: 'rename a method with an override, a homonym and a use that nothing resolves',
      kind: 'rename',
      symbol: 'shapes.py#Shape/area',
      newName: 'surface',
      unresolved: ['report.py:10:17'],
    },
    verdict: 'open',
  },
  {
    task: {
      ...about,
      name: 'delete a method that a string names',
      kind: 'delete',
      symbol: 'shapes.py#Shape/get_edges',
      unresolved: ['report.py:11'],
    },
    verdict: 'complete',
  },
  {
    task: { ...about, name: 'move a class', kind: 'move', symbol: 'shapes.py#Square', to: 'square.py' },
    verdict: 'complete',
  },
];

const pack = knownPackage(python, ['.']);
const { root: original } = makeWorkspace(files);
const [binary] = programCommand([]);
const facts = factsOf(python, pack, original);
const agent = commandLineAgent({ binary, env: ownHome(), install: async () => undefined });

for (const { task, verdict } of tasks) {
  testUnless(whyNoProgram('python3'))(`the command line can ${task.name}`, async () => {
    const judge = await judgeOf({ task, language: python, pack, directory: original, facts });
    const scratch = new Scratch(original, join(makeTempDir(), 'copy'));
    const outcome = () => outcomeOf(pack, original);
    const work = await agent.work({ task, symbol: judge.symbol, pack, directory: scratch.directory });
    if (work === undefined) throw new Error('the agent did nothing');
    const bench = { pack, oracle: python.edits, scratch, baseline: [], links: facts.links, outcome };
    const judged = await judge.judge(bench, work);
    expect({ ...judged, said: work.said }).toMatchObject({ verdict });
    expect(isFalseDone(work, judged)).toBe(false);
    expect(work.calls).toBe(1);
    expect(work.charsIn + work.charsOut).toBeLessThan(1000);
  });
}
