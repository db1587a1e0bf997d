import { describe, expect, test } from 'bun:test';
import { expectClearExit } from '../../support/clear.ts';
import { makeHome, sharedStore } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const files = {
  '.serena/project.yml': 'symbol_source: server\n',
  'a.py': 'def one():\n    return 1\n\n\ndef two():\n    return one()\n',
  'sub/b.py': 'from a import one, two\n\none()\ntwo()\n',
  "sub/it's new.txt": 'def one():\n    return 11\n',
};

function inHome(project: Workspace) {
  const env = { SERENA_HOME: makeHome(), ...sharedStore };
  return (args: readonly string[], input = '', cwd = project.root) =>
    runProgram(args, { cwd, env, input, timeoutMs: 240_000 });
}

describe('apply, undo and redo', () => {
  test('make, take back and repeat several commands as one edit', async () => {
    await using project = makeWorkspace(files);
    const run = inHome(project);
    const commands = `# both\nserena rename ../a.py#two second\n\nreplace ../a.py#one 'it'"'"'s new.txt'\n`;
    const applied = await run(['apply'], commands, project.path('sub'));
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(applied.stdout).toEndWith('2 files changed.\n');
    expect(applied.stdout).toContain('1. rename: ');
    expect(project.read('a.py')).toBe('def one():\n    return 11\n\n\ndef second():\n    return one()\n');
    expect(project.read('sub/b.py')).toBe('from a import one, second\n\none()\nsecond()\n');
    const listed = await run(['undo', '--list']);
    expect(listed.stdout).toMatch(/^1\. \S+Z apply: .*a\.py.*\n$/);
    expect(await run(['undo'])).toEqual({ code: 0, stdout: 'Undid 1 edit (apply): 2 files changed.\n', stderr: '' });
    expect([project.read('a.py'), project.read('sub/b.py')]).toEqual([files['a.py'], files['sub/b.py']]);
    expect((await run(['redo', '1'])).stdout).toBe('Redid 1 edit (apply): 2 files changed.\n');
    expect(project.read('a.py')).toContain('def second');
    const none = await run(['redo']);
    expectClearExit(none, 4, 'there are 0 undone edits', 'run `serena undo --list`');
  }, 240_000);

  test.each([
    ['', 'there is no command to apply'],
    ['find one', 'line 1: `find` is not a command that edits'],
    ['# x\nrename a.py#one', 'line 2: the argument `new-name` is missing'],
    ['rename a.py#one uno --nonsense', 'line 1: unknown option `--nonsense`'],
    ["rename 'a.py#one uno", 'line 1: a quote is not closed'],
    ['replace a.py#one', 'line 1: the new text has to be in a file'],
  ])('reject %j, and change nothing', async (commands, problem) => {
    await using project = makeWorkspace(files);
    expectClearExit(await inHome(project)(['apply'], commands), 2, problem);
    expect(project.read('a.py')).toBe(files['a.py']);
  });

  test('change nothing if one of the commands fails', async () => {
    await using project = makeWorkspace(files);
    const ended = await inHome(project)(['apply'], 'rename a.py#one uno\nreplace a.py#missing "sub/it\'s new.txt"\n');
    expectClearExit(ended, 4, '`missing`');
    expect(project.read('a.py')).toBe(files['a.py']);
    expectClearExit(await inHome(project)(['undo', 'all']), 2, '`all` is not a number of edits');
  }, 240_000);
});
