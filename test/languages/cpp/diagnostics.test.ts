import { beforeAll, expect, test } from 'bun:test';
import { cpp } from '../../../src/languages/cpp/servers.ts';
import { questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { whyNoClangd } from '../../support/clangd.ts';
import { startClient } from '../../support/client.ts';
import { ownHome } from '../../support/homes.ts';
import { describeUnless } from '../../support/skip.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const whyNot = whyNoClangd();

/** Writes a compilation database of these files of a workspace. */
function writeDatabase(workspace: Workspace, files: readonly string[]): void {
  const commands = files.map((file) => ({ directory: workspace.root, file, arguments: ['c++', '-c', file] }));
  workspace.write('compile_commands.json', JSON.stringify(commands));
}

describeUnless(whyNot)('diagnostics of clangd', () => {
  beforeAll(() => install(cpp), installTimeoutMs);

  test(
    'checks a changed file against a header that changed with it',
    async () => {
      // Reading a large header takes time, in which a first answer is about the former headers.
      const user = '#include <regex>\n#include "helper.hpp"\nstd::regex *pattern = nullptr;\nint value = make();\n';
      const workspace = makeWorkspace({ 'helper.hpp': 'inline int make() { return 1; }\n', 'user.cpp': user });
      writeDatabase(workspace, ['user.cpp']);
      await using opened = await Opened.open(workspace);
      const errorLines = () =>
        opened.ask(async (symbols) =>
          (await symbols.diagnosticsOfFile('user.cpp')).map(({ diagnostic }) => diagnostic.range.start.line),
        );
      expect(await errorLines()).toEqual([]);
      workspace.write('user.cpp', `${user}int other = 1;\n`);
      workspace.write('helper.hpp', 'inline const char* make() { return ""; }\n');
      expect(await errorLines()).toEqual([3]);
      workspace.write('user.cpp', user);
      workspace.write('helper.hpp', 'inline int make() { return 1; }\n');
      expect(await errorLines()).toEqual([]);
    },
    questionTimeoutMs,
  );

  test(
    'checks a header against another one that changed',
    async () => {
      // clangd first reads the header with the command of a file of its name, then with that of the file that includes it.
      const workspace = makeWorkspace({
        'features.hpp': 'class Features {\n};\n',
        'reader.hpp': '#include "features.hpp"\n#include <vector>\nclass Reader {\n  Features features;\n};\n',
        'reader.cpp': 'int unrelated;\n',
        'other.cpp': '#include "reader.hpp"\nReader reader;\n',
      });
      writeDatabase(workspace, ['reader.cpp', 'other.cpp']);
      await using opened = await Opened.open(workspace);
      const errorLines = (file: string) =>
        opened.ask(async (symbols) =>
          (await symbols.diagnosticsOfFile(file))
            .filter(({ diagnostic }) => diagnostic.severity === 1)
            .map(({ diagnostic }) => diagnostic.range.start.line),
        );
      expect(await errorLines('reader.hpp')).toEqual([]);
      expect(await errorLines('other.cpp')).toEqual([]);
      workspace.write('features.hpp', 'class Features {\n  virtual void added() = 0;\n};\n');
      expect(await errorLines('reader.hpp')).toEqual([3]);
      workspace.write('features.hpp', 'class Features {\n};\n');
      expect(await errorLines('reader.hpp')).toEqual([]);
    },
    questionTimeoutMs,
  );

  test(
    'says that errors may be missing where clangd stops',
    async () => {
      const project = makeWorkspace({
        'wrong.cpp': Array.from({ length: 25 }, (_, n) => `int a${n} = b${n};\n`).join(''),
      });
      writeDatabase(project, ['wrong.cpp']);
      await using client = await startClient({ args: ['--project', project.root], env: ownHome() });
      const { blocks } = await client.call('get_diagnostics_for_file', { relative_path: 'wrong.cpp' });
      expect(blocks[0]).toContain('too_many_errors');
      expect(blocks.slice(1).join()).toContain('Diagnostics of `wrong.cpp` may be missing: clangd');
    },
    questionTimeoutMs,
  );

  /** Returns what the answer about a file says of its gaps; empty if it is complete. */
  async function gapsOf(project: Workspace, file: string): Promise<string> {
    await using client = await startClient({ args: ['--project', project.root], env: ownHome() });
    const { blocks, isError } = await client.call('get_diagnostics_for_file', { relative_path: file });
    expect(isError).toBe(false);
    return blocks.slice(1).join('\n');
  }

  test(
    'says that errors may be missing behind those of an included file',
    async () => {
      const project = makeWorkspace({
        'stock.hpp': 'struct Stock {\n  Count count;\n};\n',
        'user.cpp': '#include "stock.hpp"\nint value(Stock stock) { return stock.count.size(); }\n',
        'other.cpp': 'int value = missing;\n',
      });
      writeDatabase(project, ['user.cpp', 'other.cpp']);
      expect(await gapsOf(project, 'user.cpp')).toContain(
        'Diagnostics of `user.cpp` may be missing: it includes a file with errors',
      );
      expect(await gapsOf(project, 'other.cpp')).toBe('');
    },
    questionTimeoutMs,
  );

  test(
    'names an included file with a body that is not closed, which clangd does not report',
    async () => {
      const open = 'inline int one() {\n  if (true) {\n    return 1;\n}\n';
      const project = makeWorkspace({
        'parts/one.hpp': open,
        'two.hpp': '#include "parts/one.hpp"\ninline int two() { return 2; }\n// {\n',
        'user.cpp': '#include "two.hpp"\nint value() { return two(); }\n',
      });
      writeDatabase(project, ['user.cpp']);
      expect(await gapsOf(project, 'user.cpp')).toContain('it includes `parts/one.hpp`, with errors');
      project.write('parts/one.hpp', `${open}}\n`);
      project.write('user.cpp', '#include "two.hpp"\nint value() { return three(); }\n');
      expect(await gapsOf(project, 'user.cpp')).toBe('');
    },
    questionTimeoutMs,
  );

  test(
    'says that errors may be missing in the templates of a header',
    async () => {
      // Only the arguments of `user.cpp` lead to the error, which clangd does not report there either.
      const template = 'template <class T>\nint sizeOf(const T &value) { return value.missing(); }\n';
      const project = makeWorkspace({
        'sizes.hpp': template,
        'plain.hpp': 'inline int one() { return 1; }\n',
        'user.cpp': '#include "sizes.hpp"\nstruct Stock {};\nint value(Stock stock) { return sizeOf(stock); }\n',
        'own.cpp': `${template}struct Stock {};\nint value(Stock stock) { return sizeOf(stock); }\n`,
      });
      writeDatabase(project, ['user.cpp', 'own.cpp']);
      const missing = 'Errors of `sizes.hpp` in code that depends on parameters of templates may be missing: clangd';
      expect(await gapsOf(project, 'sizes.hpp')).toContain(missing);
      expect(await gapsOf(project, 'plain.hpp')).toBe('');
      expect(await gapsOf(project, 'own.cpp')).toBe('');
    },
    questionTimeoutMs,
  );
});
