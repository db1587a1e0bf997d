import { beforeAll, describe, expect, test } from 'bun:test';
import { cpp } from '../../src/servers/specs/cpp.ts';
import { startClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';
import { describeServer, questionTimeoutMs } from './conformance.ts';
import { cppQuestions } from './cpp-questions.ts';
import { install, installTimeoutMs, Opened } from './opened.ts';

describeServer(cpp, { fixture: 'cpp', questions: cppQuestions });

/** Writes a compilation database of every `.c` and `.cpp` file of a workspace. */
function writeDatabase(workspace: Workspace, files: readonly string[], directory = workspace.root): void {
  const commands = files.map((file) => ({ directory, file, arguments: ['c++', '-c', file] }));
  workspace.write('compile_commands.json', JSON.stringify(commands));
}

describe('clangd, asked first about a project that it has not indexed,', () => {
  beforeAll(() => install(cpp), installTimeoutMs);

  const fileCount = 60;
  const usesEach = 20;

  /** Returns a project whose files use `shared` 1,200 times. */
  function makeProject(): Workspace {
    const names = Array.from({ length: fileCount }, (_, index) => `src/user${index}.cpp`);
    const use = Array.from({ length: usesEach }, () => '  sum += shared(sum);\n').join('');
    const users = names.map((name, index) => [
      name,
      `#include "../shared.hpp"\nint user${index}() {\n  int sum = 0;\n${use}  return sum;\n}\n`,
    ]);
    const workspace = makeWorkspace({
      'shared.hpp': 'int shared(int value);\n',
      'shared.cpp': '#include "shared.hpp"\nint shared(int value) {\n  return value;\n}\n',
      ...Object.fromEntries(users),
    });
    writeDatabase(workspace, ['shared.cpp', ...names]);
    return workspace;
  }

  test(
    'finds more than 1,000 references in more than 50 files',
    async () => {
      await using opened = await Opened.open(makeProject());
      const uses = await opened.references('shared', 'shared.hpp');
      const inUsers = uses.filter(({ symbol }) => symbol.file.startsWith('src/'));
      expect(new Set(inUsers.map(({ symbol }) => symbol.file)).size).toBe(fileCount);
      expect(inUsers).toHaveLength(fileCount * usesEach);
    },
    questionTimeoutMs,
  );

  test(
    'goes from a use to the definition in another file',
    async () => {
      await using opened = await Opened.open(makeProject());
      const found = await opened.ask((symbols) => symbols.declaration('src/user0.cpp', { line: 3, character: 10 }));
      expect([found.file, found.range.start.line]).toEqual(['shared.cpp', 1]);
    },
    questionTimeoutMs,
  );

  test(
    'renames in more than 50 files',
    async () => {
      const project = makeProject();
      await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: makeHome() } });
      const rename = { name_path: 'shared', relative_path: 'shared.hpp', new_name: 'common' };
      expect(await client.ask('rename_symbol', rename)).toContain(`${fileCount + 2} files`);
      const files = ['shared.hpp', 'shared.cpp', ...Array.from({ length: fileCount }, (_, i) => `src/user${i}.cpp`)];
      expect(files.filter((file) => /\bshared\(/.test(project.read(file)))).toEqual([]);
    },
    questionTimeoutMs,
  );
});
