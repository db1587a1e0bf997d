// jdtls leaves out references in files outside the build's project, and renames what looks like accessors of a field.
import { expect } from 'bun:test';
import { mistakenJavaFiles } from '../../support/java-mistaken-references.ts';
import { javaProject, jdtls } from '../../support/java-project.ts';
import { openShared } from '../../support/shared-session.ts';
import { testUnless } from '../../support/skip.ts';

const timeoutMs = 600_000;
const files: Readonly<Record<string, string>> = {
  ...javaProject,
  ...mistakenJavaFiles,
  'src/shop/Made.java': `package shop;

class Made {
    Made() {
        this(1);
    }

    Made(int count) {}
}
`,
  // Names whose declarations and uses are in part written as Unicode escapes.
  'src/shop/Escaped.java': String.raw`package shop;

class Esc\u0061ped {
    int us\u0065d;

    int c\u0061ll() {
        return used + this.us\u0065d + call();
    }

    Escaped self = new Esc\u0061ped();
}
`,
  // jdtls leaves anonymous classes in the static initializers of other files out of a rename.
  'src/shop/Adapter.java': `package shop;

abstract class Adapter<T extends java.util.Date> {
    static final Adapter<java.util.Date> PLAIN = new Adapter<java.util.Date>() {
        @Override
        java.util.Date read(java.util.Date date) {
            return date;
        }
    };

    abstract T read(java.util.Date date);

    T twice(java.util.Date date) {
        return read(read(date));
    }
}
`,
  'src/shop/Adapters.java': `package shop;

final class Adapters {
    static final Adapter<java.sql.Date> SQL;

    static {
        SQL = new Adapter<java.sql.Date>() {
            @Override
            java.sql.Date read(java.util.Date date) {
                return new java.sql.Date(date.getTime());
            }
        };
    }

    String read(java.util.Date date) {
        return SQL.twice(date).toString();
    }
}
`,
  'extra/Uses.java': 'package shop;\n\nclass Uses {\n    Made made = new Made();\n    Made two = new Made(2);\n}\n',
};

testUnless(jdtls.whyNot)(
  'a rename finds what follows a Unicode escape, leaves accessors, and takes a constructor for its type',
  async () => {
    const { workspace, client } = await openShared(files, { env: jdtls.env });
    const trim = { name_path: 'Text/trim', relative_path: 'src/shop/Text.java', new_name: 'cut' };
    // The first call waits for the server to import the project.
    const { text } = await client.call('rename_symbol', trim, { timeoutMs });
    expect(text).toStartWith('Renamed `Text/trim` to `cut`: 3 files changed, ');
    expect(workspace.read('src/shop/Escapes.java')).toContain('= Text.cut("\\\\u0022")');
    expect(workspace.read('extra/Loose.java')).toContain('"\\u0022 + Text.cut("a") + "Text.trim"');
    for (const [type, file] of [
      ['Pair', 'src/shop/Product.java'],
      ['Row', 'src/shop/Row.java'],
    ] as const) {
      await client.call('rename_symbol', { name_path: `${type}/key`, relative_path: file, new_name: 'first' });
      expect(workspace.read(file)).toBe(
        (files[file] ?? '').replace('    K key;', '    K first;').replace('return key;', 'return first;'),
      );
    }
    const made = { name_path: 'Made/Made[0]', relative_path: 'src/shop/Made.java', new_name: 'Built' };
    expect((await client.call('rename_symbol', made)).text).toStartWith('Renamed `Made` to `Built`: 2 files changed, ');
    expect(workspace.read('extra/Uses.java')).toBe((files['extra/Uses.java'] ?? '').replaceAll('Made', 'Built'));
    const escaped = 'src/shop/Escaped.java';
    for (const [namePath, newName] of [
      ['Escaped/used', 'spent'],
      ['Escaped/call', 'phone'],
    ]) {
      const args = { name_path: namePath, relative_path: escaped, new_name: newName };
      expect((await client.call('rename_symbol', args)).text).toStartWith(`Renamed \`${namePath}\` to \`${newName}\``);
    }
    const renamed = (files[escaped] ?? '')
      .replaceAll(/us\\u0065d|used/g, 'spent')
      .replaceAll(/c\\u0061ll|call/g, 'phone');
    expect(workspace.read(escaped)).toBe(renamed);
    const adapters = ['src/shop/Adapter.java', 'src/shop/Adapters.java'] as const;
    const read = { name_path: 'Adapter/read', relative_path: adapters[0], new_name: 'parse' };
    expect((await client.call('rename_symbol', read)).text).toStartWith('Renamed `Adapter/read` to `parse`: 2 files');
    expect(workspace.read(adapters[0])).toBe((files[adapters[0]] ?? '').replaceAll('read(', 'parse('));
    expect(workspace.read(adapters[1])).toBe((files[adapters[1]] ?? '').replace('Date read(', 'Date parse('));
    // After the change jdtls no longer says what the anonymous method overrides; its mark does.
    const back = { name_path: 'Adapter/parse', relative_path: adapters[0], new_name: 'read' };
    expect((await client.call('rename_symbol', back)).text).toStartWith('Renamed `Adapter/parse` to `read`: 2 files');
    for (const file of adapters) expect(workspace.read(file)).toBe(files[file] ?? '');
    const type = { name_path: 'Escaped', relative_path: escaped, new_name: 'Free' };
    expect((await client.call('rename_symbol', type)).text).toContain(
      'would replace only a part of a name that `src/shop/Escaped.java` writes with Unicode escapes',
    );
    expect(workspace.read(escaped)).toBe(renamed);
    // By default, jdtls adds its filters of directories to a project description.
    for (const file of ['.project', '.classpath']) expect(workspace.read(file)).toBe(files[file] ?? '');
  },
  timeoutMs,
);

testUnless(jdtls.whyNot)(
  'the only constructor that passes arguments to the superclass is not deleted, nor what serialization reads',
  async () => {
    const { client } = await openShared(
      {
        ...javaProject,
        'src/shop/Base.java':
          'package shop;\n\nclass Base {\n    private static final long serialVersionUID = 1L;\n\n    Base(String name) {}\n}\n',
        'src/shop/Sub.java':
          'package shop;\n\nclass Sub extends Base {\n    Sub(String name) {\n        super(name);\n    }\n}\n',
      },
      { env: jdtls.env },
    );
    const refused = await client.call('safe_delete_symbol', {
      name_path_pattern: 'Sub/Sub',
      relative_path: 'src/shop/Sub.java',
    });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('without it `Sub` has a constructor that calls `super()` without arguments');
    const base = { name_path_pattern: 'Base/serialVersionUID', relative_path: 'src/shop/Base.java' };
    const read = await client.call('safe_delete_symbol', base);
    expect(read).toMatchObject({
      isError: true,
      text: expect.stringContaining('members of this name are called by serialization'),
    });
  },
  timeoutMs,
);
