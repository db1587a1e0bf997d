// `serena affected`: the files and tests that a change reaches.
import { expect, test } from 'bun:test';
import { type Ended, runProgram } from '../../support/program.ts';
import { sharedHome } from '../../support/temp.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

/** Allows for the download of a language server. */
const timeoutMs = 240_000;

const files = {
  '.serena/project.yml': 'symbol_source: server\n',
  'price.py': 'def price(n):\n    return n\n\n\nclass Basket:\n    def total(self):\n        return price(1)\n',
  'shop.py': 'from price import Basket\n\n\ndef show(basket: Basket):\n    return basket.total()\n',
  'other.py': 'def other():\n    return 2\n',
  'README.md': '# Shop\n',
  'tests/test_shop.py':
    'from price import Basket\nfrom shop import show\n\n\ndef test_show():\n    assert show(Basket()) == 1\n',
  'tests/test_other.py': 'from other import other\n\n\ndef test_other():\n    assert other() == 2\n',
};

function affected(project: Workspace, args: readonly string[], input?: string): Promise<Ended> {
  const env = { SERENA_HOME: sharedHome() };
  return runProgram(['affected', ...args], {
    ...{ cwd: project.root, env, timeoutMs },
    ...(input === undefined ? {} : { input }),
  });
}

test(
  'files and tests that reach a change, from Git and from stdin (Python)',
  async () => {
    await using project = makeWorkspace(files);
    project.initGit();
    expect(await affected(project, ['--tests'])).toEqual({ code: 1, stdout: '', stderr: 'No files\n' });

    project.write('price.py', files['price.py'].replace('return n\n', 'return n + 0\n'));
    // Over the method that calls it, and the function that calls that one.
    expect(await affected(project, ['--tests'])).toEqual({ code: 0, stdout: 'tests/test_shop.py\n', stderr: '' });
    const all = await affected(project, ['--base', 'HEAD']);
    expect(all).toEqual({ code: 0, stdout: 'price.py\nshop.py\ntests/test_shop.py\n', stderr: '' });

    const given = await affected(project, ['--tests', '--stdin'], 'other.py\ntests/test_shop.py\nREADME.md\n');
    expect(given).toEqual({
      code: 0,
      stdout: 'tests/test_other.py\ntests/test_shop.py\n',
      stderr: 'Note:\n- Not followed, because no source file of the project: `README.md`\n',
    });
    const gone = await affected(project, ['--tests', '--stdin', '--json'], 'gone.py\nother.py\n../outside.py\n');
    expect(gone.code).toBe(3);
    expect(JSON.parse(gone.stdout)).toMatchObject({
      status: 'incomplete',
      result: { compared: '1 given file', tests: ['tests/test_other.py'] },
      gaps: [{ missing: 'Users of `gone.py` are missing', reason: 'they do not exist' }],
      notes: ['Not followed, because no source file of the project: `../outside.py`'],
    });
  },
  timeoutMs,
);

test('a change of a test file is a test to run, and a deleted function leaves its users (Python)', async () => {
  await using project = makeWorkspace(files);
  project.initGit();
  project.write('other.py', '');
  project.write('tests/test_shop.py', `${files['tests/test_shop.py']}    assert True\n`);
  const { stdout } = await affected(project, ['--tests']);
  expect(stdout).toBe('tests/test_other.py\ntests/test_shop.py\n');
  const { code, stderr } = await affected(project, ['--base', 'HEAD', '--stdin']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be used with') });
}, 240_000);
