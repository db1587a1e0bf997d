import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startClient } from '../../support/client.ts';
import { makeHome } from '../../support/homes.ts';
import { type ProgramOptions, runProgram } from '../../support/program.ts';
import { TestService, whyNoService } from '../../support/service.ts';
import { describeUnless, testUnless } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const esc = '\u001b';
const payload = `${esc}]0;title\u0007 ${esc}[2J\u009b31m\u202e`;
const name = `a${esc}]0;x\u0007\r\b\u202e.py`;
const forging = 'c\nfake.py:1: Function ok\u2028.py';
const visibleName = 'a\\u001b]0;x\\u0007\\u000d\\u0008\\u202e.py';
const visibleForging = 'c\\u000afake.py:1: Function ok\\u2028.py';
/** Everything that moves a cursor, sets a title or reorders text. */
const raw = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

const why = process.platform === 'win32' ? 'file names cannot have these characters here' : undefined;
const { root } = makeWorkspace(
  why
    ? {}
    : {
        [name]: `def evil():\n\t# ${payload}\n\treturn 1\n`,
        [forging]: 'def evil():\n    return 2\n',
        '.serena/project.yml': 'project_name: shop\n',
      },
);
const env = { SERENA_HOME: makeHome({ symbol_source: 'syntax' }), SERENA_OFFLINE: '1' };

describeUnless(why)('control characters in names and lines are visible', () => {
  const options: ProgramOptions = { cwd: root, env };

  test.each([
    [
      ['find', 'evil'],
      [`${visibleName}:1: Function evil`, `${visibleForging}:1: Function evil`],
    ],
    [
      ['overview', '.'],
      [`${visibleName}:1: Function evil`, `${visibleForging}:1: Function evil`],
    ],
    [
      ['search', 'evil'],
      [`${visibleName}:1:def evil():`, `${visibleForging}:1:def evil():`],
    ],
    [['search', 'title'], ['\t# \\u001b]0;title\\u0007 \\u001b[2J\\u009b31m\\u202e']],
    [['overview', `no${name}`], [`error: file \`no${visibleName}\` does not exist`]],
    [['overview', 'no\nhint: forged'], ['error: file `no\n  hint: forged` does not exist']],
    [['find', `no${name}`], [visibleName]],
    [
      ['tools', 'call', '--project-from-cwd', 'read_file', JSON.stringify({ relative_path: name })],
      ['\\u001b]0;title'],
    ],
  ])('%j', async (args, shown) => {
    const { stdout, stderr } = await runProgram(args, options);
    expect(stdout + stderr).not.toMatch(raw);
    for (const line of shown) expect(stdout + stderr).toContain(line);
  });

  test('in a body, whose tabs and line breaks stay', async () => {
    const { stdout } = await runProgram(['find', 'evil', '--body'], options);
    expect(stdout).toContain('def evil():\n\t# \\u001b]0;title\\u0007 \\u001b[2J\\u009b31m\\u202e\n\treturn 1\n');
    expect(stdout).not.toMatch(raw);
  });

  test('in JSON, which means the same', async () => {
    const { stdout } = await runProgram(['find', 'evil', '--body', '--json'], options);
    expect(stdout).not.toMatch(raw);
    const { result } = JSON.parse(stdout);
    expect(result[0]).toMatchObject({ relative_path: name, body: expect.stringContaining(payload) });
  });

  test('beside the colors of the program', async () => {
    const colored = await runProgram(['overview', `no${name}`], { ...options, env: { ...env, FORCE_COLOR: '1' } });
    expect(colored.stderr).toStartWith(`${esc}[31merror:${esc}[39m file \`no${visibleName}\` does not exist`);
  });
});

describeUnless(why)('control characters in names are visible', () => {
  test('in the labels of answers, which models read', async () => {
    const nested = makeWorkspace({ 'd\nIncomplete:\n- all/a.py': 'def one():\n    pass\n' });
    await using client = await startClient({ args: ['--project', nested.root], symbolSource: 'configured', env });
    const { blocks } = await client.call('get_symbols_overview', { relative_path: '.' });
    expect(blocks.join('\n')).toContain('`d\\u000aIncomplete:\\u000a- all` (1)');
  });

  testUnless(whyNoService)('also of a command that runs in the service', async () => {
    await using service = new TestService(makeHome({ symbol_source: 'syntax' }));
    const { stdout, stderr } = await runProgram(['find', 'evil'], { cwd: root, env: service.env });
    expect((await service.status()).pid).toBePositive();
    expect(stdout).toContain(`${visibleName}:1: Function evil`);
    expect(stdout + stderr).not.toMatch(raw);
  });
});

test('every command writes through its caller, which makes control characters visible', () => {
  const directory = join(import.meta.dir, '../../../src/cli');
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const direct = files.filter((path) =>
    /process\.std(out|err)\.write\(/.test(readFileSync(join(directory, path), 'utf8')),
  );
  expect(direct).toEqual(['caller.ts']);
});
