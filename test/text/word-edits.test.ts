import { expect, test } from 'bun:test';
import { textLines } from '../../src/text/text-lines.ts';
import { wordEdits } from '../../src/text/word-edits.ts';

const text = 'int walk() { return 2; }\nint x = walk() + walks();\n';
const whole = { start: { line: 0, character: 4 }, end: { line: 1, character: 25 } };
const at = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
});

test('a replacement of several lines becomes those of the words that it changes', () => {
  const newText = 'run() { return 2; }\nint x = run() + walks();';
  expect(wordEdits(textLines(text), { range: whole, newText })).toEqual([
    { range: at(0, 4, 8), newText: 'run' },
    { range: at(1, 8, 12), newText: 'run' },
  ]);
});

test('a replacement that changes more than words stays as it is', () => {
  for (const newText of [
    '',
    'run(a) { return 2; }\nint x = walk() + walks();',
    'walk() { return 2; }\nint x = walk() - walks();',
  ]) {
    const edit = { range: whole, newText };
    expect(wordEdits(textLines(text), edit)).toEqual([edit]);
  }
  const outside = { range: at(7, 0, 4), newText: 'run' };
  expect(wordEdits(textLines(text), outside)).toEqual([outside]);
});
