import { beforeAll, expect, test } from 'bun:test';
import { cpp } from '../../../src/languages/cpp/servers.ts';
import { questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { whyNoClangd } from '../../support/clangd.ts';
import { startClient } from '../../support/client.ts';
import { ownHome } from '../../support/homes.ts';
import { describeUnless, testUnless } from '../../support/skip.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const whyNot = whyNoClangd();

/** Returns a project with these files, of which the `.cpp` files are compiled. */
function makeProject(files: Readonly<Record<string, string>>): Workspace {
  const workspace = makeWorkspace(files);
  const commands = Object.keys(files)
    .filter((file) => file.endsWith('.cpp'))
    .map((file) => ({ directory: workspace.root, file, arguments: ['c++', '-std=c++17', '-c', file] }));
  workspace.write('compile_commands.json', JSON.stringify(commands));
  return workspace;
}

function start(project: Workspace) {
  return startClient({ args: ['--project', project.root], env: ownHome() });
}

describeUnless(whyNot)('members whose type depends on a template', () => {
  beforeAll(() => install(cpp), installTimeoutMs);

  test(
    'are found and renamed through a name of the base class',
    async () => {
      const files = {
        'writer.hpp': 'template <class T> struct Writer {\n  T *stream;\n};\n',
        'pretty.cpp':
          '#include "writer.hpp"\ntemplate <class T> struct Pretty : Writer<T> {\n  typedef Writer<T> Base;\n' +
          '  void end() { Base::stream->put(); }\n};\n' +
          'struct Sink { void put(); };\nvoid use(Pretty<Sink> &pretty) { pretty.end(); }\n',
      };
      const project = makeProject(files);
      await using client = await start(project);
      const stream = { name_path: 'Writer/stream', relative_path: 'writer.hpp' };
      const { blocks } = await client.call('find_referencing_symbols', stream);
      expect(blocks).toEqual([expect.stringContaining('>   3:  void end() { Base::stream->put(); }')]);
      await client.ask('rename_symbol', { ...stream, new_name: 'output' });
      expect(project.read('writer.hpp')).toBe(files['writer.hpp'].replace('stream', 'output'));
      expect(project.read('pretty.cpp')).toBe(files['pretty.cpp'].replace('stream', 'output'));
    },
    questionTimeoutMs,
  );

  test(
    'leave a parameter that has the type of a renamed one, though clangd would rename it too',
    async () => {
      const text =
        'namespace {\nenum kind { one, two };\ntemplate <kind N> struct holder { static const kind value; };\n' +
        'template <kind N> const kind holder<N>::value = N;\n}\nint main() { return holder<two>::value; }\n';
      const project = makeProject({ 'main.cpp': text });
      await using client = await start(project);
      await client.ask('rename_symbol', { name_path: 'kind', relative_path: 'main.cpp', new_name: 'sort' });
      expect(project.read('main.cpp')).toBe(text.replaceAll(/\bkind\b/g, 'sort'));
    },
    questionTimeoutMs,
  );

  const allocators = {
    'allocators.hpp':
      'struct Heap {\n  static const bool mustFree = true;\n};\nstruct Pool {\n  static const bool mustFree = false;\n};\n',
    'document.cpp':
      '#include "allocators.hpp"\ntemplate <typename T, typename Allocator = Pool> struct Document {\n' +
      '  bool frees() { return Allocator::mustFree; }\n};\n' +
      'bool first() { return Document<int>().frees(); }\nbool second() { return Document<int, Heap>().frees(); }\n',
  };

  test.each(['Heap', 'Pool'])(
    'are neither renamed nor deleted alone: %s',
    async (type) => {
      const project = makeProject(allocators);
      await using client = await start(project);
      const mustFree = { name_path: `${type}/mustFree`, relative_path: 'allocators.hpp' };
      const refused = await client.call('rename_symbol', { ...mustFree, new_name: 'needsFree' });
      expect(refused.isError).toBe(true);
      expect(refused.text).toContain(
        'does not resolve with certainty names that may mean it: `document.cpp` 2 (0-based',
      );
      const deleted = { name_path_pattern: mustFree.name_path, relative_path: mustFree.relative_path };
      expect((await client.call('safe_delete_symbol', deleted)).text).toMatch(/^Cannot delete|may still be used/);
      for (const [file, text] of Object.entries(allocators)) expect(project.read(file)).toBe(text);
      await client.ask('rename_symbol', { ...mustFree, new_name: 'needsFree', force: true });
      expect(project.read('allocators.hpp').match(/needsFree/g)).toHaveLength(1);
    },
    questionTimeoutMs,
  );

  const traits = {
    'traits.hpp':
      'template <class T> struct Text {\n  T *at;\n};\ntemplate <class T> struct Traits {\n  enum { copies = 0 };\n' +
      '  static int size() { return 1; }\n};\ntemplate <class T> struct Traits<Text<T> > {\n  enum { copies = 1 };\n' +
      '  static int size() { return 2; }\n};\n',
    'use.cpp':
      '#include "traits.hpp"\ntemplate <class T, int = Traits<T>::copies> struct Local {\n  T *copy;\n};\n' +
      'Local<Text<char> > text;\nLocal<char> plain;\n' +
      'int all() { return Traits<char>::size() + Traits<Text<char> >::size(); }\n',
  };

  test.each(['Traits', 'Traits<Text<T>>'])(
    'are neither renamed nor deleted in only one declaration of a template: %s',
    async (type) => {
      const project = makeProject(traits);
      await using client = await start(project);
      const copies = { name_path: `${type}/(anonymous enum)/copies`, relative_path: 'traits.hpp' };
      const refused = await client.call('rename_symbol', { ...copies, new_name: 'isCopied' });
      expect(refused.text).toContain('does not resolve with certainty names that may mean it: `use.cpp` 1 (0-based');
      expect(refused.isError).toBe(true);
      const deleted = { name_path_pattern: copies.name_path, relative_path: copies.relative_path };
      expect((await client.call('safe_delete_symbol', deleted)).text).toMatch(/^Cannot delete|may still be used/);
      for (const [file, text] of Object.entries(traits)) expect(project.read(file)).toBe(text);
      // Names whose type depends on no parameter are resolved.
      await client.ask('rename_symbol', { ...copies, name_path: `${type}/size`, new_name: 'length' });
      const used = type === 'Traits' ? 'Traits<char>::' : 'Traits<Text<char> >::';
      expect(project.read('use.cpp')).toBe(traits['use.cpp'].replace(`${used}size`, `${used}length`));
      await client.ask('rename_symbol', { ...copies, new_name: 'isCopied', force: true });
      expect(project.read('traits.hpp').match(/isCopied/g)).toHaveLength(1);
    },
    questionTimeoutMs,
  );

  test(
    'are not renamed while an argument of any type has a member of this name',
    async () => {
      const files = {
        'sink.hpp': 'struct Sink {\n  void put(int) {}\n  void close() {}\n};\n',
        'use.cpp':
          '#include "sink.hpp"\nstruct File {\n  void put(int) {}\n  void close() {}\n};\n' +
          'template <class Stream> void write(Stream &stream) { stream.put(1); }\n' +
          'void use(Sink &sink, File &file) {\n  write(sink);\n  write(file);\n  sink.close();\n  file.close();\n}\n',
      };
      const project = makeProject(files);
      await using client = await start(project);
      const rename = (name: string) => ({ name_path: `Sink/${name}`, relative_path: 'sink.hpp', new_name: `${name}2` });
      const refused = await client.call('rename_symbol', rename('put'));
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('`use.cpp` 5 (0-based lines)') });
      expect([project.read('sink.hpp'), project.read('use.cpp')]).toEqual(Object.values(files));
      // Other members of this name, which the server resolves, are no reason to refuse.
      await client.ask('rename_symbol', rename('close'));
      expect(project.read('use.cpp')).toBe(files['use.cpp'].replace('sink.close', 'sink.close2'));
    },
    questionTimeoutMs,
  );
});

testUnless(whyNot)(
  'a function is renamed in code that is not compiled and in macros, if its name has no other meaning',
  async () => {
    await install(cpp);
    const files = {
      'tool.hpp': 'int measure(int value);\n#define MEASURED(value) measure(value)\n',
      'tool.cpp':
        '#include "tool.hpp"\nint measure(int value) { return value; }\n' +
        '#ifdef NOT_DEFINED_HERE\nint elsewhere() { return measure(2); }\n#endif\nint here() { return MEASURED(1); }\n',
    };
    const project = makeProject(files);
    await using client = await start(project);
    await client.ask('rename_symbol', { name_path: 'measure', relative_path: 'tool.hpp', new_name: 'weigh' });
    expect(project.read('tool.hpp')).toBe(files['tool.hpp'].replaceAll('measure', 'weigh'));
    expect(project.read('tool.cpp')).toBe(files['tool.cpp'].replaceAll('measure', 'weigh'));
  },
  questionTimeoutMs + installTimeoutMs,
);

testUnless(whyNot)(
  'renames nothing or all, at once after another rename and in a file that is only complete where it is included',
  async () => {
    await install(cpp);
    const files = {
      'shop.hpp':
        '#include <regex>\nnamespace shop {\nstruct Basket {\n  typedef int Items;\n  int count();\n  Items items;\n};\n}\n',
      'parts.inl':
        'namespace shop {\nint twice(Basket &basket) {\n  Basket::Items items = basket.count();\n  return 2 * items;\n}\n}\n',
      'shop.cpp':
        '#include "shop.hpp"\nnamespace shop {\n#include "more.inl"\nint Basket::count() { return items; }\n' +
        'int all(Basket &basket) { return basket.count() + basket.count(); }\n}\n#include "parts.inl"\n',
      'more.inl': '',
    };
    const project = makeProject(files);
    const texts = () => Object.keys(files).map((file) => project.read(file));
    await using client = await start(project);
    const rename = (from: string, to: string) =>
      client.call('rename_symbol', { name_path: `shop/Basket/${from}`, relative_path: 'shop.hpp', new_name: to });
    for (const [from, to] of [
      ['count', 'total'],
      ['total', 'count'],
      ['Items', 'Things'],
    ] as const) {
      const before = texts();
      const { isError } = await rename(from, to);
      // clangd does not resolve the names of the included part while it is open: that is a reason to refuse.
      const renamed = before.map((text) => text.replaceAll(new RegExp(`\\b${from}\\b`, 'g'), to));
      expect(texts()).toEqual(isError ? before : renamed);
      if (from === 'count') expect(isError).toBe(false);
    }
  },
  questionTimeoutMs + installTimeoutMs,
);

describeUnless(whyNot)('edits of templates', () => {
  beforeAll(() => install(cpp), installTimeoutMs);

  test(
    'take the parameters of a template for a part of it',
    async () => {
      const own =
        '// Compares.\ntemplate <typename CT, typename T = decltype(1 > 0)>\nstruct Unused {\n  template <class U>\n  U get() const;\n};\n\n';
      const other = 'template <class T>\ntemplate <class U>\nU Box<T>::get() { return U(); }\n';
      const box = 'template <class T> struct Box {\n  template <class U> U get();\n};\n\n';
      const project = makeProject({
        'meta.hpp': box + own + other,
        'user.cpp': '#include "meta.hpp"\nBox<int> box;\n',
      });
      await using client = await start(project);
      const unused = { name_path: 'Unused', relative_path: 'meta.hpp' };
      await client.ask('insert_before_symbol', { ...unused, body: 'struct Before {};\n' });
      const before = project.read('meta.hpp');
      expect(before).toMatch(
        /struct Before \{\};\n+(?:\/\/ Compares\.\n)?template <typename CT, typename T = decltype\(1 > 0\)>\nstruct Unused/,
      );
      await client.ask('safe_delete_symbol', { name_path_pattern: 'Unused', relative_path: 'meta.hpp' });
      expect(project.read('meta.hpp')).not.toContain('typename CT');
      expect(project.read('meta.hpp')).toContain(other);
      const body = await client.ask('find_symbol', { name_path_pattern: 'Box/get', include_body: true });
      expect(body).toContain('template <class U> U get()');
    },
    questionTimeoutMs,
  );
});
