import { expect, test } from 'bun:test';
import { readPs } from '../../../src/base/process/group-usage.ts';

const output = `  7 S    0:01.50
  7 Ss   1:00:02
  8 R    2-00:00:01
`;

test('readPs() sums up the processes of one group', () => {
  expect(readPs(7, output)).toEqual({ cpuMs: 1500 + 3_602_000, isBusy: false });
  expect(readPs(8, output)).toEqual({ cpuMs: 172_801_000, isBusy: true });
  expect(readPs(9, output)).toBeUndefined();
});
