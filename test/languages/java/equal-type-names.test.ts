// Overloads whose parameters have types of equal simple names: jdtls 1.59 takes uses of one for those of another.
import { expect } from 'bun:test';
import { javaProject, jdtls } from '../../support/java-project.ts';
import { openShared } from '../../support/shared-session.ts';
import { testUnless } from '../../support/skip.ts';

const timeoutMs = 600_000;

/** Code with the names of the methods `shortName(Kind)` and `longName(shop.left.Kind)`. */
type Named = (shortName: string, longName: string) => string;

const names: Named = (shortName, longName) => `package shop;

import java.util.HashMap;
import java.util.Map;
import shop.right.Kind;

class Names {
    static int get(shop.left.Kind kind) {
        return ${longName}(kind, new HashMap<>());
    }

    static int ${longName}(@Deprecated() shop.left.Kind kind, final Map<Integer, String> known) {
        return 1;
    }

    static int get(Kind kind) {
        return ${shortName}(kind, new HashMap<>());
    }

    static int ${shortName}(Kind kind, Map<String, String> known) {
        return 2;
    }
}
`;
const use: Named = (shortName, longName) => `package shop;

import java.util.Map;
import shop.left.Kind;

class Use {
    int left(Kind kind, Map<Integer, String> known) {
        return Names.${longName}(kind, known);
    }

    int right(shop.right.Kind kind, Map<String, String> known) {
        return Names.${shortName}(kind, known);
    }
}
`;
const source = `package shop;

import shop.right.Kind;

interface Source {
    int pick(shop.left.Kind kind);

    int pick(Kind kind);
}

class Words implements Source {
    public int pick(shop.left.Kind kind) {
        return 1;
    }

    public int pick(Kind kind) {
        return 2;
    }
}

class Asks {
    java.util.function.ToIntFunction<shop.left.Kind> left = new Words()::pick;
    java.util.function.ToIntFunction<Kind> right = new Words()::pick;

    int all(Source source, Words words, shop.left.Kind left, Kind right) {
        return source.pick(left) + source.pick(right) + words.pick(left) + words.pick(right);
    }
}
`;
const files = {
  ...javaProject,
  'src/shop/left/Kind.java': 'package shop.left;\n\npublic interface Kind {\n}\n',
  'src/shop/right/Kind.java': 'package shop.right;\n\npublic interface Kind {\n}\n',
  'src/shop/Names.java': names('get', 'get'),
  'src/shop/Use.java': use('get', 'get'),
  'src/shop/Source.java': source,
};

testUnless(jdtls.whyNot)(
  'an overload has no uses of another one whose parameter has a type of the same simple name',
  async () => {
    const { workspace, client } = await openShared(files, { env: jdtls.env });
    const rename = async (namePath: string, file: string, to: string) => {
      const args = { name_path: namePath, relative_path: file, new_name: to };
      return (await client.call('rename_symbol', args)).text;
    };
    const listed = await client.call('find_referencing_symbols', {
      name_path: 'Names/get[3]',
      relative_path: 'src/shop/Names.java',
    });
    expect(listed.blocks).toHaveLength(1);
    expect([...(listed.blocks[0] ?? '').matchAll(/"name_path": "([^"]+)"/g)].map(([, path]) => path)).toEqual([
      'Names/get[2]',
      'Use/right',
    ]);

    expect(await rename('Names/get[3]', 'src/shop/Names.java', 'other')).toStartWith(
      'Renamed `Names/get[3]` to `other`: 2 files changed, ',
    );
    expect(workspace.read('src/shop/Names.java')).toBe(names('other', 'get'));
    expect(workspace.read('src/shop/Use.java')).toBe(use('other', 'get'));

    // Methods that can be overridden are mixed up both ways.
    for (const [own, other] of [
      ['Source/pick[1]', 'Source/pick[0]'],
      ['Words/pick[0]', 'Words/pick[1]'],
    ] as const) {
      expect(await rename(own, 'src/shop/Source.java', 'other')).toContain(
        `also renames uses of \`${other}\`, whose parameters have types of the same names`,
      );
      expect(workspace.read('src/shop/Source.java')).toBe(source);
    }
  },
  timeoutMs,
);

testUnless(jdtls.whyNot)(
  'the overload with the longer names of types is renamed alone',
  async () => {
    const { workspace, client } = await openShared(files, { env: jdtls.env });
    const { text } = await client.call('rename_symbol', {
      name_path: 'Names/get[1]',
      relative_path: 'src/shop/Names.java',
      new_name: 'left',
    });
    expect(text).toStartWith('Renamed `Names/get[1]`');
    expect(workspace.read('src/shop/Names.java')).toBe(names('get', 'left'));
    expect(workspace.read('src/shop/Use.java')).toBe(use('get', 'left'));
  },
  timeoutMs,
);
