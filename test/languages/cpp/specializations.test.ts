import { beforeAll, expect, test } from 'bun:test';
import { cpp } from '../../../src/languages/cpp/servers.ts';
import { questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { whyNoClangd } from '../../support/clangd.ts';
import { startClient } from '../../support/client.ts';
import { ownHome } from '../../support/homes.ts';
import { describeUnless } from '../../support/skip.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const whyNot = whyNoClangd();

const files = {
  'puts.hpp': 'struct Buffer { void fill(int); };\nnamespace io {\ntemplate <class S> void putAll(S &, int) {}\n}\n',
  'special.hpp':
    '#include "puts.hpp"\nnamespace io {\ntemplate <>\ninline void putAll(Buffer &buffer, int n) { buffer.fill(n); }\n' +
    'template <>\ninline void putAll(long &value, int n) { value = n; }\n}\n' +
    'struct Value {\n  template <class T> T as() const;\n};\n' +
    'template <> inline int Value::as<int>() const { return 1; }\n' +
    'template <> inline bool Value::as<bool>() const { return as<int>() != 0; }\n',
  'types.hpp':
    'template <class T> struct Traits { static int value() { return 1; } };\n' +
    'template <> struct Traits<int> { static int value() { return 2; } };\n' +
    'template <class T> struct Traits<T *> { static int value() { return 3; } };\n' +
    'template <class T> constexpr int bits = 1;\ntemplate <> constexpr int bits<long> = 2;\n',
  'types.cpp':
    '#include "types.hpp"\nint one = Traits<int>::value();\nint two = Traits<int *>::value();\n' +
    'int three = Traits<char>::value();\nint four = bits<long>;\nint five = bits<char>;\n',
  // Another template of the same name.
  'other.hpp':
    'namespace other {\ntemplate <class S> void putAll(S &, int) {}\ntemplate <> inline void putAll(int &, int) {}\n}\n',
  'user.cpp':
    '#include "special.hpp"\n#include "other.hpp"\ntemplate <class S> void generic(S &stream) {\n  io::putAll(stream, 1);\n}\n' +
    'void use(Buffer &buffer, const Value &value, long &sum) {\n  io::putAll(buffer, 1);\n  io::putAll(sum, 2);\n' +
    '  generic(buffer);\n  int i = 0;\n  other::putAll(i, 1);\n  value.as<bool>();\n}\n',
};

function makeProject(): Workspace {
  const workspace = makeWorkspace(files);
  const commands = ['user.cpp', 'types.cpp'].map((file) => {
    return { directory: workspace.root, file, arguments: ['c++', '-std=c++17', '-c', file] };
  });
  workspace.write('compile_commands.json', JSON.stringify(commands));
  return workspace;
}

function start(project: Workspace) {
  return startClient({ args: ['--project', project.root], env: ownHome() });
}

describeUnless(whyNot)('specializations of a template', () => {
  beforeAll(() => install(cpp), installTimeoutMs);

  test(
    'and their uses are references to the template, which is not deleted while it has them',
    async () => {
      const project = makeProject();
      await using client = await start(project);
      const { blocks } = await client.call('find_referencing_symbols', {
        name_path: 'Value/as',
        relative_path: 'special.hpp',
      });
      expect(blocks).toHaveLength(1);
      const lines = [...(blocks[0] ?? '').matchAll(/> +(\d+):/g)].map(([, line]) => Number(line));
      expect(lines).toEqual([10, 11, 11, 11]);
      const deletion = { name_path_pattern: 'Value/as', relative_path: 'special.hpp' };
      expect((await client.call('safe_delete_symbol', deletion)).text).toContain('Cannot delete');
      expect(project.read('special.hpp')).toBe(files['special.hpp']);
    },
    questionTimeoutMs,
  );

  test.each([
    ['the template', { name_path: 'io/putAll', relative_path: 'puts.hpp' }],
    ['one of them', { name_path: 'io/putAll[1]', relative_path: 'special.hpp' }],
  ])(
    'are renamed together with %s',
    async (_, symbol) => {
      const project = makeProject();
      await using client = await start(project);
      await client.ask('rename_symbol', { ...symbol, new_name: 'fillAll' });
      for (const file of ['puts.hpp', 'special.hpp', 'other.hpp', 'user.cpp'] as const) {
        const renamed = files[file].replaceAll(/(?<!other::)putAll/g, 'fillAll');
        expect(project.read(file)).toBe(file === 'other.hpp' ? files[file] : renamed);
      }
    },
    questionTimeoutMs,
  );

  test(
    'of a method are renamed together with it',
    async () => {
      const project = makeProject();
      await using client = await start(project);
      await client.ask('rename_symbol', { name_path: 'Value/as', relative_path: 'special.hpp', new_name: 'to' });
      for (const file of ['special.hpp', 'user.cpp'] as const) {
        expect(project.read(file)).toBe(files[file].replaceAll(/\bas\b/g, 'to'));
      }
    },
    questionTimeoutMs,
  );

  test.each(['Traits', 'Traits<int>', 'bits'])(
    'of a class or variable are renamed together with %s',
    async (name) => {
      const project = makeProject();
      await using client = await start(project);
      const symbol = { name_path: name, relative_path: 'types.hpp' };
      await client.ask('rename_symbol', { ...symbol, new_name: 'renamed' });
      for (const file of ['types.hpp', 'types.cpp'] as const) {
        expect(project.read(file)).toBe(files[file].replaceAll(name.replace('<int>', ''), 'renamed'));
      }
    },
    questionTimeoutMs,
  );

  test(
    'are not deleted while only uses in other templates may mean them',
    async () => {
      const project = makeProject();
      const text =
        'struct Sink {};\ntemplate <class S> int put(S &) { return 1; }\n' +
        'template <> inline int put(Sink &) { return 2; }\ntemplate <class S> int all(S &sink) { return put(sink); }\n';
      project.write('sink.hpp', text);
      project.write('user.cpp', '#include "sink.hpp"\nint use(Sink &sink) { return all(sink); }\n');
      await using client = await start(project);
      const deletion = { name_path_pattern: 'put[1]', relative_path: 'sink.hpp' };
      expect((await client.call('safe_delete_symbol', deletion)).text).toContain('uses of its template may mean it');
      expect(project.read('sink.hpp')).toBe(text);
    },
    questionTimeoutMs,
  );
});
