import { describe, expect } from 'bun:test';
import { javaProject, jdtls } from '../../support/java-project.ts';
import { openSignatures } from '../../support/language-tests/signatures.ts';
import { testUnless } from '../../support/skip.ts';

const timeoutMs = 300_000;
const compile = ['javac', '-d', 'out', 'src/app/App.java', '-sourcepath', 'src'] as const;

const store = 'src/shop/Store.java';
const app = 'src/app/App.java';

const files = {
  ...javaProject,
  [store]: `package shop;

import java.util.List;

public interface Store<T> {
    /**
     * Gets something.
     *
     * @param key what, with
     *     a second line
     * @param depth how deep
     * @return all of it
     */
    List<T> get(String key, int depth);

    default List<T> twice(String key) {
        return get(key, 2);
    }
}
`,
  'src/shop/Memory.java': `package shop;

import java.util.ArrayList;
import java.util.List;

public class Memory implements Store<String> {
    @Override
    public List<String> get(String key, int depth) {
        if (depth > 1) {
            return this.get(key, depth - 1);
        }
        return new ArrayList<>(List.of(key));
    }

    public static int sum(int first, int second) {
        return first - second;
    }

    static int size(String name, Object... rest) {
        return rest.length;
    }

    static int size(int count) {
        return count;
    }

    String join(String a, int b) {
        return a + b;
    }

    String join(String a) {
        return a;
    }

    @Override
    public boolean equals(Object other) {
        return other == this;
    }

    int compare(Memory other) {
        return other.hashCode() + size("a") + size("a", 1, 2) + size(3) + join("x", 1).length() + join("y").length();
    }
}
`,
  [app]: `package app;

import static shop.Memory.sum;

import java.util.List;
import java.util.function.IntBinaryOperator;
import shop.Memory;
import shop.Store;

public class App {
    static class Lazy extends Memory {
        @Override
        public List<String> get(String k, int d) {
            return super.get(k, d);
        }
    }

    public static void main(String[] args) {
        Store<String> store = new Lazy();
        store.get("a, (b", 5);
        store
                .get(
                        "a", // the key
                        5 /* how many */);
        new Memory() {
            @Override
            public List<String> get(String key, int depth) {
                return List.of(key);
            }
        }.get("x", sum(sum(1, 2), 3));
        IntBinaryOperator operator = Memory::sum;
        int all = operator.applyAsInt(1, 2) + Memory.sum(4, 5);
        System.out.println(all);
    }
}
`,
};

const constructed = {
  ...javaProject,
  'src/shop/Point.java': `package shop;

public class Point {
    final int sum;

    public Point(int x, int y) {
        sum = x + y;
    }

    public Point(int x) {
        this(x, 0);
    }

    public static Point make(int x) {
        return new Point(x);
    }

    static class Deep extends Point {
        Deep(int z) {
            super(1, z);
        }

        Deep(int z, int ignored) {
            super(z);
        }
    }
}
`,
  [app]: `package app;

import java.util.function.BiFunction;
import shop.Point;

public class App {
    public static void main(String[] args) {
        Point[] all = {new Point(1, 2), new Point(3), new shop.Point(4, 5) {}, Point.make(6)};
        Class<?> type = Point.class;
        BiFunction<Integer, Integer, Point> make = Point::new;
        System.out.println(all.length + " " + type + (all[0] instanceof Point));
    }
}
`,
};

type Change = Readonly<Record<string, string | readonly string[]>>;

const of = (file: string, namePath: string, ...changes: Change[]) => ({ namePath, file, changes });

describe('change_signature in Java', () => {
  const { env, whyNot } = jdtls;
  const test = testUnless(whyNot);
  const open = () => openSignatures(files, { env });

  test(
    'changes a method of an interface, what implements it, its calls and its documentation',
    async () => {
      const project = await open();
      const answer = await project.change(
        of(store, 'Store/get', { add: 'boolean wait', value: '1 > 2', before: 'depth' }),
      );
      expect(answer).toStartWith('Changed the signature of `Store/get`: 3 files changed, 10 places; complete');
      expect(project.lines(store, /get\(/)).toEqual([
        'List<T> get(String key, boolean wait, int depth);',
        'return get(key, 1 > 2, 2);',
      ]);
      expect(project.lines('src/shop/Memory.java', /get\(/)).toEqual([
        'public List<String> get(String key, boolean wait, int depth) {',
        'return this.get(key, wait, depth - 1);',
      ]);
      expect(project.read(app)).toContain(
        '"a", // the key\n                        1 > 2,\n                        5 /* how many */);',
      );
      expect(project.lines(app, /get\(|sum\(1/)).toEqual([
        'public List<String> get(String k, boolean wait, int d) {',
        'return super.get(k, wait, d);',
        'store.get("a, (b", 1 > 2, 5);',
        '.get(',
        'public List<String> get(String key, boolean wait, int depth) {',
        '}.get("x", 1 > 2, sum(sum(1, 2), 3));',
      ]);
      project.expectCompiles(compile);
      await project.change(of(store, 'Store/get', { rename: 'depth', to: 'level' }));
      await project.change(of(store, 'Store/get', { order: ['level', 'key', 'wait'] }));
      expect(project.read(store)).toContain(
        '     *\n     * @param level how deep\n     * @param key what, with\n     *     a second line\n     * @return all of it\n',
      );
      project.expectCompiles(compile);
    },
    timeoutMs,
  );

  test(
    'names method references, and changes overloads with variable arguments alone',
    async () => {
      const project = await open();
      const answer = await project.change(of('src/shop/Memory.java', 'Memory/sum', { order: ['second', 'first'] }));
      expect(answer).toContain('incomplete: 1 open');
      expect(answer).toContain(
        'it is used without a call:\n    src/app/App.java:30: IntBinaryOperator operator = Memory::sum;',
      );
      expect(project.lines(app, /sum\(/)).toEqual([
        '}.get("x", sum(3, sum(2, 1)));',
        'int all = operator.applyAsInt(1, 2) + Memory.sum(5, 4);',
      ]);
      await project.change(
        of('src/shop/Memory.java', 'Memory/size[0]', { add: 'int extra', value: '7', before: 'name' }),
      );
      expect(project.lines('src/shop/Memory.java', /size\(/)).toEqual([
        'static int size(int extra, String name, Object... rest) {',
        'static int size(int count) {',
        'return other.hashCode() + size(7, "a") + size(7, "a", 1, 2) + size(3) + join("x", 1).length() + join("y").length();',
      ]);
      project.expectCompiles(compile);
    },
    timeoutMs,
  );

  test(
    'changes constructors, and the constructors that call them',
    async () => {
      const project = await openSignatures(constructed, { env });
      const file = 'src/shop/Point.java';
      const answer = await project.change(
        of(file, 'Point/Point[0]', { add: 'String unit', value: '"m, (n"', before: 'x' }),
      );
      expect(answer).toContain(
        'it is used without a call:\n    src/app/App.java:9: BiFunction<Integer, Integer, Point> make = Point::new;',
      );
      expect(answer).toContain('incomplete: 1 open');
      expect(project.lines(file, /this\(|super\(|Point\(/)).toEqual([
        'public Point(String unit, int x, int y) {',
        'public Point(int x) {',
        'this("m, (n", x, 0);',
        'return new Point(x);',
        'super("m, (n", 1, z);',
        'super(z);',
      ]);
      expect(project.lines('src/app/App.java', /new /)).toEqual([
        'Point[] all = {new Point("m, (n", 1, 2), new Point(3), new shop.Point("m, (n", 4, 5) {}, Point.make(6)};',
      ]);
    },
    timeoutMs,
  );

  test(
    'adds imports, and passes on in overrides what they get',
    async () => {
      const shop = 'src/shop/Shop.java';
      const project = await openSignatures(
        {
          ...javaProject,
          'src/money/Money.java':
            'package money;\n\npublic record Money(int cents) {\n    public static Money zero() {\n        return new Money(0);\n    }\n}\n',
          [shop]:
            'package shop;\n\npublic interface Shop {\n    int total(int count);\n\n    default int twice(int count) {\n        return total(count) * 2;\n    }\n}\n',
          'src/shop/Doubled.java':
            'package shop;\n\npublic class Doubled implements Shop {\n    Shop below;\n\n    @Override\n    public int total(int count) {\n        return below.total(count) * 2;\n    }\n}\n',
        },
        { env },
      );
      const add = { add: 'Money tax', value: 'Money.zero()' };
      const answer = await project.change({ namePath: 'Shop/total', file: shop, changes: [add] });
      expect(answer).toContain('; complete');
      expect(project.lines(shop, /import|total\(/)).toEqual([
        'import money.Money;',
        'int total(int count, Money tax);',
        'return total(count, Money.zero()) * 2;',
      ]);
      expect(project.lines('src/shop/Doubled.java', /import|total\(/)).toEqual([
        'import money.Money;',
        'public int total(int count, Money tax) {',
        'return below.total(count, tax) * 2;',
      ]);
      project.expectCompiles(['javac', '-d', 'out', 'src/shop/Doubled.java', '-sourcepath', 'src']);
    },
    timeoutMs,
  );

  test(
    'refuses what may be wrong, and changes nothing',
    async () => {
      const project = await open();
      const memory = 'src/shop/Memory.java';
      await project.refuse(of(memory, 'Memory/join[0]', { remove: 'b' }), 'another `join`');
      await project.refuse(
        { ...of(memory, 'Memory/join[1]', { add: 'int b', value: '2' }) },
        'another `join`, at `src/shop/Memory.java:26`',
      );
      await project.refuse(of(memory, 'Memory/sum', { remove: 'first' }), 'uses `first` (0-based lines: 15)');
      await project.refuse(of(memory, 'Memory/equals', { add: 'int b', value: '2' }), 'is binary');
      project.expectUnchanged();
    },
    timeoutMs,
  );
});
