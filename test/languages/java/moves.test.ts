import { describe, expect } from 'bun:test';
import { existsSync } from 'node:fs';
import { java } from '../../../src/languages/java/servers.ts';
import { expectClearError } from '../../support/clear.ts';
import { type CompileCommand, expectCompiles } from '../../support/compiles.ts';
import { javaProject, jdtls } from '../../support/java-project.ts';
import { trustedWithActions } from '../../support/language-tests/code-actions.ts';
import { installTested } from '../../support/language-tests/tested.ts';
import { openShared, type SharedSession } from '../../support/shared-session.ts';
import { testUnless } from '../../support/skip.ts';

const timeoutMs = 600_000;
const place = (name_path: string, relative_path: string, new_relative_path: string) => ({
  name_path,
  relative_path,
  new_relative_path,
});
const compile: CompileCommand = [
  'javac',
  '-d',
  'out',
  '-sourcepath',
  'src',
  'src/app/Main.java',
  'src/shop/Basket.java',
];

describe('move_symbol in Java', () => {
  installTested({ spec: java, ...jdtls });
  const files = {
    ...javaProject,
    'src/shop/Util.java':
      'package shop;\n\nimport java.util.List;\n\n/** Helpers. */\npublic class Util {\n    private static final int FACTOR = 3;\n\n    /** Adds. */\n    public static int total(List<Integer> parts) {\n        int sum = 0;\n        for (int part : parts) sum += part;\n        return sum * FACTOR;\n    }\n\n    static int other() { return total(List.of(1)); }\n\n    public static class Pair {\n        final int first = FACTOR;\n    }\n\n    int size(Basket basket) { return basket.size(); }\n}\n\nclass Second {\n    int other() { return Util.other(); }\n}\n',
    'src/shop/Basket.java':
      'package shop;\n\npublic class Basket {\n    int size() { return Util.total(java.util.List.of(1, 2)) + new Second().other(); }\n}\n',
    'src/shop/Hidden.java': 'package shop;\n\npublic class Hidden {\n    int size() { return Util.other(); }\n}\n',
    'src/shop/tools/Sums.java': 'package shop.tools;\n\npublic class Sums {\n}\n',
    'src/shop/tools/Taken.java':
      'package shop.tools;\n\nimport java.util.List;\n\npublic class Taken {\n    public static int total(List<Integer> parts) { return 0; }\n}\n',
    'src/app/Price.java': 'package app;\n\npublic class Price {\n    public static int of() { return 1; }\n}\n',
    'src/app/Main.java':
      'package app;\n\nimport static shop.Util.total;\n\nimport java.util.List;\nimport shop.Util;\n\npublic class Main {\n    public static void main(String[] args) {\n        System.out.println(total(List.of(1)) + Util.total(List.of(2)) + Price.of());\n        System.out.println(new Util.Pair());\n    }\n}\n',
  };

  testUnless(jdtls.whyNot)(
    'moves static members to another type, and types to files of their own',
    async () => {
      const { workspace: project, client } = await open(files);
      const moved = await client.call(
        'move_symbol',
        place('Util/total', 'src/shop/Util.java', 'src/shop/tools/Sums.java'),
      );
      expect(moved.blocks.join('\n\n')).toBe(
        'Moved `Util/total` from `src/shop/Util.java` to `src/shop/tools/Sums.java`: 4 files changed, 4 places; complete\nFiles:\n  src/app/Main.java: 1\n  src/shop/Basket.java: 1\n  src/shop/Util.java: 1\n  src/shop/tools/Sums.java: 1\n\nNote:\n- `src/shop/Util.java`: `FACTOR` no longer private, for the moved code',
      );
      expect(project.read('src/shop/tools/Sums.java')).toContain('/** Adds. */\n    public static int total(');
      expect(project.read('src/app/Main.java')).toContain('Sums.total(List.of(1)) + Sums.total(List.of(2))');
      expectCompiles(project, compile);
      await client.ask('move_symbol', place('Util/Pair', 'src/shop/Util.java', 'src/shop/Pair.java'));
      expect(project.read('src/shop/Pair.java')).toContain('public class Pair {');
      expectCompiles(project, compile);
      await client.ask('move_symbol', place('Second', 'src/shop/Util.java', 'src/shop/Second.java'));
      expect(project.read('src/shop/Second.java')).toContain('class Second {');
      expect(project.read('src/shop/Util.java')).not.toContain('Second');
      expectCompiles(project, compile);
      await client.ask('edit_history', { action: 'undo', count: 3 });
      for (const [path, text] of Object.entries(files)) expect(project.read(path)).toBe(text);
    },
    timeoutMs,
  );

  testUnless(jdtls.whyNot)(
    'moves a type with its file to another package',
    async () => {
      const { workspace: project, client } = await open(files);
      await client.ask('move_symbol', place('Price', 'src/app/Price.java', 'src/shop/tools/Price.java'));
      expect(project.read('src/shop/tools/Price.java')).toContain('package shop.tools;\n');
      expect(existsSync(project.path('src/app/Price.java'))).toBe(false);
      expect(project.read('src/app/Main.java')).toContain('import shop.tools.Price;\n');
      expectCompiles(project, compile);
      await client.ask('edit_history', { action: 'undo', count: 1 });
      for (const [path, text] of Object.entries(files)) expect(project.read(path)).toBe(text);
    },
    timeoutMs,
  );

  testUnless(jdtls.whyNot)(
    'refuses what would not compile, and what the server does not move',
    async () => {
      const { workspace: project, client } = await open(files);
      const util = 'src/shop/Util.java';
      const refuse = async (call: object, ...parts: string[]) => {
        expectClearError(await client.call('move_symbol', { ...call }), ...parts);
      };
      await refuse(
        place('Util/size', util, 'src/shop/tools/Sums.java'),
        'moves only static members',
        '`safe_delete_symbol`',
      );
      await refuse(place('Util/total', util, 'src/shop/tools/Taken.java'), 'total');
      await refuse(place('Util/total', util, 'src/shop/Fresh.java'), '`src/shop/Fresh.java` does not exist');
      await refuse(place('Util', util, 'src/shop/tools/Helpers.java'), 'has to be `Util.java`');
      await refuse(
        place('Util', util, 'src/fresh/Util.java'),
        'no package that the language server knows',
        'package-info.java',
      );
      await refuse(place('Util', util, 'src/shop/tools/Util.java'), 'new error');
      await refuse(
        { ...place('Util/total', util, 'src/shop/tools/Sums.java'), re_export: true },
        'leave out `re_export`',
      );
      for (const [path, text] of Object.entries(files)) expect(project.read(path)).toBe(text);
    },
    timeoutMs,
  );
});

function open(files: Readonly<Record<string, string>>): Promise<SharedSession> {
  return openShared(files, { config: trustedWithActions, env: jdtls.env });
}
