import { describe, expect, test } from 'bun:test';
import { ExpectedError } from '../../../src/base/errors.ts';
import { separateByLicense } from '../../../src/cli/servers/choice.ts';
import { go } from '../../../src/languages/go/servers.ts';
import { python } from '../../../src/languages/python/servers.ts';

const forbidden = { ...python, license: { terms: 'https://example.test/terms', isRedistributable: false } };
const specs = [forbidden, go];

describe('separateByLicense()', () => {
  test('rejects a named server that may not be redistributed, with hints', () => {
    let error: unknown;
    try {
      separateByLicense({ specs, isNamed: true }, []);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ExpectedError);
    expect(error).toMatchObject({
      code: 'install.not-redistributable',
      message: 'cannot pack `python`: the license of pyright (https://example.test/terms) forbids redistribution',
      hints: [expect.stringContaining('`--accept-license python`'), expect.any(String)],
    });
  });

  test('skips it with --all, and reports it', () => {
    const { permitted, refused } = separateByLicense({ specs, isNamed: false }, []);
    expect(permitted.specs).toEqual([go]);
    expect(refused).toEqual([{ id: 'python', reason: expect.stringContaining('forbids redistribution') }]);
  });

  test.each([[['python']], [['pyright']]])('permits it to who accepts: %j', (accepted) => {
    const choice = { specs, isNamed: true };
    expect(separateByLicense(choice, accepted)).toEqual({ permitted: choice, refused: [] });
  });
});
