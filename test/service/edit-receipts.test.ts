import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeReceipts, EditReceipts, outcomeOf } from '../../src/service/edit-receipts.ts';
import { makeTempDir } from '../support/temp.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

function changeOf(target: string) {
  return { target, before: hashOf('old'), after: hashOf('new') };
}

describe('the receipts of a connection', () => {
  test('list the commits of each call, and forbid further ones once the client has closed them', () => {
    const directory = makeTempDir();
    const receipts = new EditReceipts(join(directory, 'receipts'));
    const change = changeOf(join(directory, 'a'));
    receipts.receiptOf(7)([change]);
    expect([...(closeReceipts(receipts.path) ?? [])]).toEqual([[7, [change]]]);
    expect(() => receipts.receiptOf(8)([change])).toThrow('ENOENT');
    expect(existsSync(receipts.path)).toBe(false);
    expect(closeReceipts(receipts.path)).toBeUndefined();
  });
});

describe('the outcome of an edit', () => {
  test.each([
    ['new', 'new', true, 'made completely (2 files)'],
    ['old', 'old', false, 'was not made: nothing was changed'],
    ['new', 'old', false, 'was not made in `'],
    ['new', 'other', false, '1` is unknown'],
    ['old', 'other', false, '1` is unknown'],
    ['other', 'other', false, '0`, `'],
  ])('with files that are %s and %s', (first, second, isDone, text) => {
    const directory = makeTempDir();
    const targets = [first, second].map((content, index) => {
      const target = join(directory, `${index}`);
      writeFileSync(target, content);
      return target;
    });
    const outcome = outcomeOf(targets.map(changeOf), false);
    expect(outcome.isDone).toBe(isDone);
    expect(outcome.text).toContain(text);
  });

  test('without a receipt is that nothing was changed, also if the service continues', () => {
    for (const mayContinue of [true, false]) {
      const { isDone, text } = outcomeOf(undefined, mayContinue);
      expect(isDone).toBe(false);
      expect(text).toContain('was not made: nothing was changed');
    }
  });

  test('is not known if the service may continue with it', () => {
    const target = join(makeTempDir(), 'a');
    writeFileSync(target, 'old');
    const { isDone, text } = outcomeOf([changeOf(target)], true);
    expect(isDone).toBe(false);
    expect(text).toContain('may still make it');
    writeFileSync(target, 'new');
    expect(outcomeOf([changeOf(target)], true).isDone).toBe(true);
  });
});
