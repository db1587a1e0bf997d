import { beforeAll, expect, test } from 'bun:test';
import { existsSync, symlinkSync } from 'node:fs';
import { clangdQuirks } from '../../../src/languages/cpp/clangd.ts';
import { cpp } from '../../../src/languages/cpp/servers.ts';
import { namePathOf } from '../../../src/symbols/model/name-path.ts';
import { preOrder, type SymbolNode } from '../../../src/symbols/model/symbol.ts';
import { describeServer, questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { whyNoClangd } from '../../support/clangd.ts';
import { startClient } from '../../support/client.ts';
import { ownHome } from '../../support/homes.ts';
import { describeUnless } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';
import { cppQuestions } from './questions.ts';

const whyNot = whyNoClangd();

describeServer(cpp, { fixture: 'cpp', questions: cppQuestions });

/** Writes a compilation database of every `.c` and `.cpp` file of a workspace. */
function writeDatabase(workspace: Workspace, files: readonly string[], directory = workspace.root): void {
  const commands = files.map((file) => ({ directory, file, arguments: ['c++', '-c', file] }));
  workspace.write('compile_commands.json', JSON.stringify(commands));
}

describeUnless(whyNot)('clangd, in a project that it has not indexed yet,', () => {
  beforeAll(() => install(cpp), installTimeoutMs);

  const fileCount = 60;
  const usesEach = 20;

  /** Returns a project whose files refer to `shared` 1,200 times. */
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
    'goes from a reference to the definition in another file',
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
      await using client = await startClient({ args: ['--project', project.root], env: ownHome() });
      const rename = { name_path: 'shared', relative_path: 'shared.hpp', new_name: 'common' };
      expect(await client.ask('rename_symbol', rename)).toContain(`${fileCount + 2} files`);
      const files = ['shared.hpp', 'shared.cpp', ...Array.from({ length: fileCount }, (_, i) => `src/user${i}.cpp`)];
      expect(files.filter((file) => /\bshared\(/.test(project.read(file)))).toEqual([]);
    },
    questionTimeoutMs,
  );
});

describeUnless(whyNot)('clangd', () => {
  beforeAll(() => install(cpp), installTimeoutMs);

  test(
    'resolves names in a file that the compilation database does not list',
    async () => {
      const workspace = makeWorkspace({
        'shared.hpp': 'int shared(int value);\n',
        'shared.cpp': '#include "shared.hpp"\nint shared(int value) {\n  return value;\n}\n',
        'tests/extra.cpp': '#include "../shared.hpp"\nint extra() {\n  return shared(1);\n}\n',
      });
      writeDatabase(workspace, ['shared.cpp']);
      await using opened = await Opened.open(workspace);
      const found = await opened.ask((symbols) => symbols.declaration('tests/extra.cpp', { line: 2, character: 10 }));
      expect([found.file, found.range.start.line]).toEqual(['shared.cpp', 1]);
    },
    questionTimeoutMs,
  );

  test(
    'names what a macro declares without the macro, and variables of a namespace',
    async () => {
      const project = makeWorkspace({
        'shop.hpp':
          '#define SHOP_BEGIN namespace shop {\n#define SHOP_END }\nSHOP_BEGIN\n' +
          'const int limit = 3;\nclass Basket {\n public:\n  int count() const { return size; }\n' +
          ' private:\n  int size = limit;\n};\nSHOP_END\n',
      });
      await using client = await startClient({ args: ['--project', project.root], env: ownHome() });
      const overview = await client.ask('get_symbols_overview', { relative_path: 'shop.hpp', depth: 2 });
      expect(JSON.parse(overview)).toEqual({
        Constant: ['SHOP_BEGIN', 'SHOP_END'],
        Namespace: [{ shop: { Variable: ['limit'], Class: [{ Basket: { Method: ['count'] } }] } }],
      });
      const found = await client.ask('find_symbol', { name_path_pattern: '/shop/Basket/count' });
      expect(JSON.parse(found)).toMatchObject([{ name_path: 'shop/Basket/count', relative_path: 'shop.hpp' }]);
    },
    questionTimeoutMs,
  );

  test(
    'finds the definitions of a part of a file, which cannot be parsed alone',
    async () => {
      const project = makeWorkspace({
        'shop.hpp': 'namespace shop {\nstruct Item;\nstruct Basket {\n  int count() const;\n  Item *first();\n};\n}\n',
        'shop.cpp': '#include "shop.hpp"\nnamespace shop {\nstruct Item {};\n}\n#include "basket.inl"\n',
        'basket.inl':
          'namespace shop {\nint free_standing() { return 1; }\n\nint Basket::count() const { return 1; }\n\n' +
          'Item *Basket::\nfirst() { return nullptr; }\n#ifdef NOWHERE\nint Basket::nowhere() { return 1; }\n#endif\n}\n',
      });
      writeDatabase(project, ['shop.cpp']);
      await using opened = await Opened.open(project);
      const names = (of: readonly SymbolNode[]) => of.map((node) => `${node.name}:${node.selectionRange.start.line}`);
      const [shop] = await opened.ask((symbols) => symbols.overview('basket.inl'));
      expect(names(shop?.children ?? [])).toEqual(['free_standing:1', 'Basket::count:3', 'Basket::first:5']);
      const options = { within: '', isSubstring: false, kinds: { include: [], exclude: [] } };
      const found = await opened.ask((symbols) => symbols.find('Basket::count', options));
      expect(found.map(({ file }) => file)).toEqual(['basket.inl']);
      // Nothing is added where clangd knows all types.
      const whole = await opened.ask((symbols) => symbols.overview('shop.hpp'));
      expect(preOrder(whole).map(namePathOf)).toEqual([
        ...['shop', 'shop/Item', 'shop/Basket', 'shop/Basket/count', 'shop/Basket/first'],
      ]);
    },
    questionTimeoutMs,
  );

  test(
    'finds the definitions after the last of many errors',
    async () => {
      const all = Array.from({ length: 40 }, (_, index) => `Missing::one${index}`);
      const project = makeWorkspace({ 'many.cpp': all.map((name) => `int ${name}() { return 1; }\n`).join('') });
      await using opened = await Opened.open(project);
      const found = await opened.ask((symbols) => symbols.overview('many.cpp'));
      expect(found.map(({ name }) => name)).toEqual(all);
    },
    questionTimeoutMs,
  );

  test(
    'finds and renames in one of two programs that define the same names',
    async () => {
      const program =
        'struct Handler {\n  int total;\n};\nint helper(const Handler &one) {\n  return one.total;\n}\n' +
        'int main() {\n  Handler own{1};\n  return helper(own);\n}\n';
      const project = makeWorkspace({ 'a.cpp': program, 'b.cpp': program });
      writeDatabase(project, ['a.cpp', 'b.cpp']);
      await using client = await startClient({ args: ['--project', project.root], env: ownHome() });
      const helper = { name_path: 'helper', relative_path: 'a.cpp' };
      const uses = await client.ask('find_referencing_symbols', helper);
      expect(Object.keys(JSON.parse(uses))).toEqual(['a.cpp']);
      await client.ask('rename_symbol', { ...helper, new_name: 'assist' });
      const total = { name_path: 'Handler/total', relative_path: 'a.cpp', new_name: 'sum' };
      await client.ask('rename_symbol', total);
      expect(project.read('a.cpp')).toBe(program.replaceAll('helper', 'assist').replaceAll('total', 'sum'));
      expect(project.read('b.cpp')).toBe(program);
    },
    questionTimeoutMs,
  );

  test(
    'does not delete a declaration whose definition would remain',
    async () => {
      const files = {
        'shop.hpp': 'class Basket {\n public:\n  int count() const;\n};\n',
        'shop.cpp': '#include "shop.hpp"\nint Basket::count() const {\n  return 1;\n}\n',
      };
      const project = makeWorkspace(files);
      writeDatabase(project, ['shop.cpp']);
      await using client = await startClient({ args: ['--project', project.root], env: ownHome() });
      const count = { name_path_pattern: 'Basket/count', relative_path: 'shop.hpp' };
      expect(await client.ask('safe_delete_symbol', count)).toContain('\n    shop.cpp:1: ');
      expect(project.read('shop.hpp')).toBe(files['shop.hpp']);
    },
    questionTimeoutMs,
  );

  test(
    'does not delete an enumeration whose names are used',
    async () => {
      const text = 'enum Mode {\n  FIRST = 1,\n  LAST\n};\nint use() { return LAST; }\n';
      const project = makeWorkspace({ 'mode.cpp': text });
      writeDatabase(project, ['mode.cpp']);
      await using client = await startClient({ args: ['--project', project.root], env: ownHome() });
      const mode = { name_path_pattern: 'Mode', relative_path: 'mode.cpp' };
      expect(await client.ask('safe_delete_symbol', mode)).toContain('\n    mode.cpp:4: ');
      expect(project.read('mode.cpp')).toBe(text);
    },
    questionTimeoutMs,
  );

  test(
    'finds implementations of implementations, also in other files',
    async () => {
      const workspace = makeWorkspace({
        'store.hpp': 'struct Store {\n  virtual bool save(int key) = 0;\n};\n',
        'memory.hpp':
          '#include "store.hpp"\nstruct Memory : Store {\n  bool save(int key) override { return key > 0; }\n};\n',
        'deep.cpp':
          '#include "memory.hpp"\nstruct Deep : Memory {\n  bool save(int key) override { return key > 1; }\n};\n' +
          'struct Deepest : Deep {};\n',
        'other.cpp': '#include "memory.hpp"\nstruct Other {\n  bool save(int key) { return key > 2; }\n};\n',
      });
      writeDatabase(workspace, ['deep.cpp', 'other.cpp']);
      await using opened = await Opened.open(workspace);
      const find = (namePath: string) =>
        opened.ask(async (symbols) => {
          const found = await symbols.implementations(await symbols.unique(namePath, 'store.hpp'), {
            include: [],
            exclude: [],
          });
          return found.map(({ file, range }) => `${file}:${range.start.line}`);
        });
      expect(await find('Store')).toEqual(['deep.cpp:1', 'deep.cpp:4', 'memory.hpp:1']);
      expect(await find('Store/save')).toEqual(['deep.cpp:2', 'memory.hpp:2']);
    },
    questionTimeoutMs,
  );

  test(
    'names the declarations and definitions of overriding methods, in its first answer, too',
    async () => {
      const workspace = makeWorkspace({
        'store.hpp':
          'struct Store {\n  virtual bool save(int key) = 0;\n};\nstruct Memory : Store {\n  bool save(int key) override;\n};\n',
        'memory.cpp': '#include "store.hpp"\nbool Memory::save(int key) { return key > 0; }\n',
      });
      writeDatabase(workspace, ['memory.cpp']);
      await using opened = await Opened.open(workspace);
      const find = () =>
        opened.ask(async (symbols) => {
          const found = await symbols.implementations(await symbols.unique('Store/save', 'store.hpp'), {
            include: [],
            exclude: [],
          });
          return found.map(({ file, range }) => `${file}:${range.start.line}`);
        });
      expect(await find()).toEqual(['memory.cpp:1', 'store.hpp:4']);
      expect(await find()).toEqual(['memory.cpp:1', 'store.hpp:4']);
    },
    questionTimeoutMs,
  );

  test(
    'finds references in a file whose extension no language has',
    async () => {
      const text = '// Generated.\nint nameOf(const Model& model) { return model.name; }\n';
      const project = makeWorkspace({
        'model.hpp': 'struct Model { int name; };\n',
        'parts.inc': text,
        'use.cpp': '#include "model.hpp"\n#include "parts.inc"\n',
      });
      writeDatabase(project, ['use.cpp']);
      await using client = await startClient({ args: ['--project', project.root], env: ownHome() });
      const model = { name_path: 'Model', relative_path: 'model.hpp' };
      const uses = await client.ask('find_referencing_symbols', model);
      expect(Object.keys(JSON.parse(uses))).toEqual(['parts.inc']);
      expect(uses).toContain('nameOf');
      const deleted = { name_path_pattern: 'Model', relative_path: 'model.hpp' };
      expect(await client.ask('safe_delete_symbol', deleted)).toContain('\n    parts.inc:1: ');
      await client.ask('rename_symbol', { ...model, new_name: 'Shape' });
      expect(project.read('parts.inc')).toBe(text.replace('Model', 'Shape'));
    },
    questionTimeoutMs,
  );

  test(
    'does not rename `main`, which it treats as one function in all programs',
    async () => {
      const files = { 'a.c': 'int main(void) {\n  return 1;\n}\n', 'b.c': 'int main(void) {\n  return 2;\n}\n' };
      const project = makeWorkspace(files);
      await using client = await startClient({ args: ['--project', project.root], env: ownHome() });
      await client.ask('get_symbols_overview', { relative_path: 'b.c' });
      const rename = { name_path: 'main', relative_path: 'a.c', new_name: 'run' };
      expect(await client.call('rename_symbol', rename)).toMatchObject({
        isError: true,
        text: expect.stringContaining('every `main`'),
      });
      expect([project.read('a.c'), project.read('b.c')]).toEqual(Object.values(files));
    },
    questionTimeoutMs,
  );
});

describeUnless(whyNot)('a compilation database with relative directories', () => {
  beforeAll(() => install(cpp), installTimeoutMs);

  const files = {
    'app/include/lib.hpp': 'int shared(int value);\n',
    'app/main.cpp': '#include <lib.hpp>\nint one() {\n  return shared(1);\n}\n',
    'other/main.cpp': 'int shared(int value);\nint other() {\n  return shared(2);\n}\n',
  };
  const commandsOf = (directory: string) =>
    JSON.stringify([{ directory, file: 'main.cpp', arguments: ['c++', '-Iinclude', '-c', 'main.cpp'] }]);

  test(
    'are resolved against the directory of the database, in a copy outside the project',
    async () => {
      const workspace = makeWorkspace({ ...files, 'compile_commands.json': commandsOf('app') });
      await using opened = await Opened.open(workspace);
      expect(await opened.ask((symbols) => symbols.diagnosticsOfFile('app/main.cpp'))).toEqual([]);
      const uses = await opened.references('shared', 'app/include/lib.hpp');
      expect(uses.map(({ symbol }) => `${symbol.file} ${symbol.name}`)).toContain('app/main.cpp one');
      expect(existsSync(workspace.path('.cache'))).toBe(false);
      expect(workspace.read('compile_commands.json')).toBe(commandsOf('app'));
    },
    questionTimeoutMs,
  );

  const prepared = (workspace: Workspace) =>
    clangdQuirks.prepare?.({ root: workspace.root, cache: makeTempDir('cache') }).compilation_database;

  test('are corrected only for a database inside the project', () => {
    const outside = makeWorkspace({ 'compile_commands.json': commandsOf('app') });
    expect(prepared(outside)).toBeString();
    expect(prepared(makeWorkspace({ ...files, 'compile_commands.json': commandsOf('/app') }))).toBeUndefined();
    expect(prepared(makeWorkspace(files))).toBeUndefined();
    // The database is not parsed: clangd reads no more of the copy than of a broken original.
    expect(prepared(makeWorkspace({ 'compile_commands.json': '[{"directory": "app"' }))).toBeString();
    expect(prepared(makeWorkspace({ 'build/compile_commands.json': commandsOf('../app') }))).toBeString();
    const linked = makeWorkspace(files);
    symlinkSync(outside.path('compile_commands.json'), linked.path('compile_commands.json'));
    expect(prepared(linked)).toBeUndefined();
    const directory = makeWorkspace({ 'compile_commands.json/a.json': commandsOf('app') });
    expect(prepared(directory)).toBeUndefined();
  });
});
