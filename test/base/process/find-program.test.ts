import { describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findProgram } from '../../../src/base/process/find-program.ts';
import { makeTempDir } from '../../support/temp.ts';

describe('findProgram()', () => {
  test('returns the first executable file', () => {
    const directories = [makeTempDir(), makeTempDir(), makeTempDir(), makeTempDir()];
    const [first = '', second = '', third = '', fourth = ''] = directories;
    mkdirSync(join(first, 'tool'));
    writeFileSync(join(second, 'tool'), '');
    for (const directory of [third, fourth]) {
      writeFileSync(join(directory, 'tool'), '');
      chmodSync(join(directory, 'tool'), 0o755);
    }
    const env = { PATH: directories.join(delimiter), PATHEXT: '' };
    expect(findProgram('tool', env)).toBe(join(third, 'tool'));
    expect(findProgram('other', env)).toBeUndefined();
  });

  test('ignores relative directories and works without `PATH`', () => {
    expect(findProgram('package.json', { PATH: `.${delimiter}${delimiter}test` })).toBeUndefined();
    expect(findProgram('sh', {})).toBeUndefined();
  });
});
