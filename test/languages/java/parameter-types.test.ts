import { afterAll, expect, test } from 'bun:test';
import { erasure } from '../../../src/languages/java/types.ts';
import { syntaxTrees } from '../../../src/syntax/syntax-trees.ts';

afterAll(() => syntaxTrees.close());

for (const [text, types] of [
  ['() {}', []],
  ['(int n) { f(1, 2); }', ['int']],
  ['(final shop.left.Kind kind, Map<Type, List<int[]>> known)', ['shop.left.Kind', 'Map']],
  ['(Map<K, V>.Entry one, Kind... more)', ['Map.Entry', 'Kind[]']],
  ['(Kind kinds[][], Kind [] more)', ['Kind[][]', 'Kind[]']],
  ['(@Named(of = @A("a,)"), n = 1) Kind kind /* , Kind other */, @Nullable\n    String text)', ['Kind', 'String']],
  [';', undefined],
] as const) {
  test(`the types of the parameters in ${text}`, async () => {
    const [type] = await syntaxTrees.javaTypes(`class Shop { static void total${text.replace(/\)$/, ') {}')} }`);
    const found = type?.methods.map(({ parameters }) => parameters.map(erasure));
    expect(found?.[0]).toEqual(types === undefined ? undefined : [...types]);
  });
}
