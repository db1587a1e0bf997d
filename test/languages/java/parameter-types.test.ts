import { expect, test } from 'bun:test';
import { javaParameterTypes } from '../../../src/languages/java/parameter-types.ts';

for (const [text, types] of [
  ['() {}', []],
  ['(int n) { f(1, 2); }', ['int']],
  ['(final shop.left.Kind kind, Map<Type, List<int[]>> known)', ['shop.left.Kind', 'Map']],
  ['(Map<K, V>.Entry one, Kind... more)', ['Map.Entry', 'Kind[]']],
  ['(Kind kinds[][], Kind [] more)', ['Kind[][]', 'Kind[]']],
  ['(@Named(of = @A("a,)"), n = 1) Kind kind /* , Kind other */, @Nullable\n    String text)', ['Kind', 'String']],
  [';', undefined],
] as const) {
  test(`the types of the parameters in ${text}`, () => {
    expect(javaParameterTypes(text)).toEqual(types === undefined ? undefined : [...types]);
  });
}
