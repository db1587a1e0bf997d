import { describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync } from 'node:fs';
import { expectClearExit } from '../../support/clear.ts';
import { makeHome, noServers } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const files = { 'a.py': 'def one():\n    pass\n', 'deep/b.py': 'def two():\n    pass\n' };

describe('in a directory without `.git` and `.serena`', () => {
  test('a command takes the working directory as the project, and says so', async () => {
    await using directory = makeWorkspace(files);
    const env = { SERENA_HOME: makeHome(noServers()) };
    for (const [cwd, path] of [
      ['.', 'a.py'],
      ['deep', 'b.py'],
    ] as const) {
      const root = directory.path(cwd);
      const { code, stderr } = await runProgram(['overview', path], { cwd: root, env });
      expect(code).toBe(0);
      expect(stderr).toStartWith(`Project: ${root} (no \`.git\` or \`.serena/project.yml\` here or above)\n`);
    }
    const { stdout } = await runProgram(['find', 'two', '--json'], { cwd: directory.root, env });
    expect(JSON.parse(stdout).result).toMatchObject([{ relative_path: 'deep/b.py' }]);
    expect(readdirSync(directory.root).sort()).toEqual(['a.py', 'deep']);
    expect((await runProgram(['project', 'list', '--json'], { env })).stdout).not.toContain(directory.root);
  });

  test('a known project above is the project', async () => {
    await using directory = makeWorkspace(files);
    const env = { SERENA_HOME: makeHome({ ...noServers(), projects: [directory.root] }) };
    const { stderr, stdout } = await runProgram(['find', 'one'], { cwd: directory.path('deep'), env });
    expect({ stderr, stdout }).toMatchObject({ stdout: '../a.py:1: Function one\n' });
    expect(stderr).not.toContain('Project:');
  });

  test('the home directory and those above it are never read as a project', async () => {
    await using directory = makeWorkspace({ ...files, 'home/me/a.py': files['a.py'] });
    const home = directory.path('home/me');
    mkdirSync(`${home}/work`);
    const own = makeHome({ ...noServers(), projects: [home] });
    const env = { SERENA_HOME: own, HOME: home };
    for (const cwd of [home, directory.path('home'), '/']) {
      const refused = await runProgram(['overview', 'a.py'], { cwd, env });
      expectClearExit(refused, 4, `\`${cwd}\` is not a project`, '--project <directory>');
    }
    // Not because it is a known project either.
    const below = await runProgram(['find', 'one'], { cwd: `${home}/work`, env });
    expect(below.stderr).toStartWith(`Project: ${home}/work (`);
    const explicit = await runProgram(['overview', 'a.py', '--project', '.'], { cwd: home, env });
    expect(explicit).toMatchObject({ code: 0, stdout: 'a.py:1: Function one\n' });
  });
});
