import { expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { codeCommands } from '../../src/cli/code/table.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';

const page = fileURLToPath(new URL('../../docs/serena.1', import.meta.url));

testUnless(whyNoProgram('mandoc'))('mandoc finds nothing wrong with the man page', () => {
  const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', page], { encoding: 'utf8' });
  // A date would change the page without a reason.
  expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([]);
});

testUnless(whyNoProgram('groff'))('groff renders every command of the man page', () => {
  const { stdout, stderr } = spawnSync('groff', ['-man', '-T', 'ascii', '-P', '-c', '-ww', page], { encoding: 'utf8' });
  expect(stderr).toBe('');
  // Bold letters are printed twice.
  const text = stdout.replaceAll(new RegExp(`.${String.fromCharCode(8)}`, 'g'), '');
  for (const { name } of codeCommands) expect(text).toMatch(new RegExp(`^ {3}${name} \\[options\\]`, 'm'));
});
