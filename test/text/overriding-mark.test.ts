import { expect, test } from 'bun:test';
import { overridingMark } from '../../src/text/overriding-mark.ts';

/** Language, mark, text of a declaration of `name`. */
const rows: readonly (readonly [string, string | undefined, string])[] = [
  ['java', '@Override', '@Override\n    public void name() {}'],
  ['java', '@java.lang.Override', '@java.lang.Override public int name();'],
  ['java', undefined, '/** {@code @Override} */\n// @Override\npublic void name() { @Override Object x; }'],
  ['java', undefined, '@OverrideAll("@Override") Override name;'],
  ['kotlin', 'override', 'override suspend fun name() = 1'],
  ['kotlin', undefined, 'fun name(override: Int) = 1'],
  ['csharp', 'override', '[Obsolete("x")]\npublic override string name() => "";'],
  ['csharp', undefined, 'public virtual string name() { return "override"; }'],
  ['cpp', 'override', 'std::vector<int> name(int a = f(1), int b = int{}) const noexcept override {'],
  ['cpp', 'override', 'auto name() -> int override = 0;'],
  ['cpp', undefined, 'void name() { struct A : B { void x() override {} }; }'],
  ['cpp', undefined, 'void name(); void other() override;'],
  ['swift', 'override', '@objc override func name() {}'],
  ['scala', 'override', 'override def name = 1'],
  ['typescript', 'override', 'public override async name(): void {}'],
  ['typescript', undefined, 'name(override: number): void {}'],
  ['python', '@override', '@cache\n@override\ndef name(self): ...'],
  ['python', '@typing.override', '@typing.override\ndef name(self): ...'],
  ['python', undefined, '@overrides\n# @override\ndef name(self): ...'],
  ['dart', '@override', '@override\nvoid name() {}'],
  ['php', '#[\\Override]', '#[\\Override]\npublic function name() {}'],
  ['go', undefined, 'func (override T) name() {}'],
];

test.each(rows)('%s: %s in %j', (language, mark, text) => {
  const nameStart = /\bname\b/.exec(text)?.index ?? -1;
  const at = { start: 0, nameStart, nameEnd: nameStart + 'name'.length, end: text.length };
  expect(overridingMark(text, at, { language, parent: 'Class' })?.written).toBe(mark);
});

test('items of the implementation of a trait implement it', () => {
  const markIn = (parent: string | undefined) =>
    overridingMark('fn name() {}', { start: 0, nameStart: 3, nameEnd: 7, end: 12 }, { language: 'rust', parent })
      ?.written;
  expect(markIn('impl Iterator for Log')).toBe('impl Iterator for Log');
  expect(markIn('impl<T> fmt::Display for Log<T>')).toBe('impl<T> fmt::Display for Log<T>');
  expect(markIn('impl Log')).toBeUndefined();
  expect(markIn(undefined)).toBeUndefined();
});
