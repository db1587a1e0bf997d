import { expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterLoading } from '../../../bench/symbols/contenders/after-loading.ts';
import { type Answer, cannotAnswer, type Judged } from '../../../bench/symbols/model.ts';
import { costOf, sumOfCosts } from '../../../bench/symbols/running/answer-cost.ts';
import { withGoReceivers } from '../../../bench/symbols/running/go-receivers.ts';
import { PeakMemory } from '../../../bench/symbols/running/peak-memory.ts';
import { scoreReferences } from '../../../bench/symbols/score.ts';
import { eventually } from '../../support/eventually.ts';
import { canListProcesses } from '../../support/processes.ts';
import { testUnless } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';

const at = (file: string, line: number) => ({ file, line, column: 4 });

const truth: Judged = {
  symbol: { name: 'total', namePath: 'total', kind: 'function', isExported: true, at: at('a.go', 0) },
  must: [at('a.go', 12), at('a.go', 14), at('b.go', 3)],
  may: [at('a.go', 12), at('a.go', 14), at('b.go', 3)],
};

function answerOf(...positions: Answer['positions']): Answer {
  return { ...cannotAnswer, outcome: 'answered', positions };
}

test('a named definition counts for every reference inside it, and for no other', () => {
  const definition = { file: 'a.go', line: 10, column: 0, endLine: 20 };
  const score = scoreReferences(truth, answerOf(definition));
  expect(score.missing).toEqual(['b.go:4']);
  expect(score.extra).toEqual([]);
  expect(score.verdict).toBe('silent');
});

test('a named definition without a reference is wrong once, by its first line', () => {
  const wrong = { file: 'b.go', line: 7, column: 0, endLine: 30 };
  const score = scoreReferences(truth, answerOf(...truth.must, wrong));
  expect(score.verdict).toBe('extra');
  expect(score.extra).toEqual(['b.go:8']);
});

test('a position without an end counts for its own line only', () => {
  expect(scoreReferences(truth, answerOf(at('a.go', 10))).missing).toHaveLength(3);
});

test('tokens of a request and its answer are counted apart, and the costs of several calls add up', () => {
  const cost = costOf({ request: 'find', answer: 'one two three <|endoftext|>', ms: 5 });
  expect(cost.tokensIn).toBe(1);
  expect(cost.tokensOut).toBeGreaterThan(3);
  expect(sumOfCosts([cost, cost])).toEqual({
    ms: 10,
    charsIn: 8,
    chars: 54,
    tokensIn: 2,
    tokensOut: 2 * cost.tokensOut,
    calls: 2,
  });
});

test('the directory of the project counts as the same short path everywhere', () => {
  const cost = (directory: string) =>
    costOf({ request: `open ${directory}/a.go`, answer: `${directory}/a.go:1`, ms: 0, directory });
  expect(cost('/home/user/.cache/somewhere/else/package-1.2.3')).toEqual(cost('/p'));
});

test('methods of Go get their receivers in the order of the file', () => {
  const directory = makeTempDir();
  const source = [
    'func (n *node) walk() {}',
    'func walk() {}',
    'func (List[T]) walk() {}',
    'func (s Set) len() int {}',
  ];
  writeFileSync(join(directory, 'a.go'), source.join('\n'));
  expect(withGoReceivers(directory, 'a.go', ['walk', 'walk', 'len', 'other'])).toEqual([
    'node/walk',
    'List/walk',
    'Set/len',
    'other',
  ]);
});

testUnless(canListProcesses ? undefined : 'processes cannot be listed here')(
  'the peak covers child processes, and stays after they have ended',
  async () => {
    const script = 'const all = Buffer.alloc(200_000_000, 1); setTimeout(() => all.length, 60_000)';
    const child = spawn('sh', ['-c', `"$0" -e "$1" & wait`, process.execPath, script], { detached: true });
    const memory = new PeakMemory({ pid: child.pid ?? -1 });
    try {
      await eventually('the child to use its memory', () => (memory.megabytes() ?? 0) > 190, 20_000);
    } finally {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      memory.stop();
    }
    expect(memory.megabytes()).toBeGreaterThan(190);
  },
);

test('answers count from when two of them name equally many places', async () => {
  const sizes = [0, 1, 1, 2, 3, 3, 4, 5];
  let asked = 0;
  const next = async () => answerOf(...Array.from({ length: sizes[asked++] ?? 0 }, (_, line) => at('a.go', line)));
  const ask = afterLoading();
  expect((await ask(next, at('a.go', 0))).positions).toHaveLength(4);
  expect((await ask(next)).positions).toHaveLength(5);
  expect(asked).toBe(sizes.length);
});
