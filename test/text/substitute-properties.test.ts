import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { compileSubstitution } from '../../src/text/substitute.ts';
import { type Brute, bruteMatches, patternOf } from './brute-regex.ts';

const runs = { numRuns: 2_000 };
const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '.', '$'), maxLength: 12 });

/** Trees without group numbers, which {@link numbered} adds. The body of a repeat matches text, so that repeats end. */
const { tree } = fc.letrec<{ tree: Brute; leaf: Brute; solid: Brute }>((tie) => ({
  leaf: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('a', 'b', '\n', '.', 'ab').map((text): Brute => ({ kind: 'text', text })) },
    { weight: 2, arbitrary: fc.constant<Brute>({ kind: 'any' }) },
    { weight: 1, arbitrary: fc.constant<Brute>({ kind: 'line-start' }) },
  ),
  solid: fc.oneof(
    fc.constantFrom('a', 'b', '\n').map((text): Brute => ({ kind: 'text', text })),
    fc.constant<Brute>({ kind: 'any' }),
    fc
      .tuple(fc.constantFrom('a', 'b'), tie('leaf'))
      .map(([text, leaf]): Brute => ({ kind: 'sequence', items: [{ kind: 'text', text }, leaf] })),
    fc
      .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('\n', 'b'))
      .map((texts): Brute => ({ kind: 'choice', options: texts.map((text): Brute => ({ kind: 'text', text })) })),
  ),
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('tree'), { maxLength: 4 }).map((items): Brute => ({ kind: 'sequence', items })),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((options): Brute => ({ kind: 'choice', options })),
    tie('tree').map((body): Brute => ({ kind: 'group', number: 0, body })),
    fc
      .record({ body: tie('solid'), min: fc.constantFrom(0, 1), max: fc.constantFrom(1, 99), isLazy: fc.boolean() })
      .map(
        ({ body, min, max, isLazy }): Brute => ({
          ...{ kind: 'repeat', body, max, isLazy },
          min: min === 1 && max === 99 ? 1 : 0,
        }),
      ),
    // Whether an optional part matches decides whether the group in it takes part.
    fc.record({ body: tie('solid'), isLazy: fc.boolean() }).map(
      ({ body, isLazy }): Brute => ({
        ...{ kind: 'repeat', min: 0, max: 1, isLazy },
        body: { kind: 'group', number: 0, body },
      }),
    ),
  ),
}));

/** Returns the tree with its groups numbered in the order in which they open, and their number. */
function numbered(root: Brute): { node: Brute; groupCount: number } {
  let groupCount = 0;
  const visit = (node: Brute): Brute => {
    if (node.kind === 'group') {
      groupCount++;
      return { ...node, number: groupCount, body: visit(node.body) };
    }
    if (node.kind === 'repeat') return { ...node, body: visit(node.body) };
    if (node.kind === 'sequence') return { ...node, items: node.items.map(visit) };
    if (node.kind === 'choice') return { ...node, options: node.options.map(visit) };
    return node;
  };
  return { node: visit(root), groupCount };
}

/** A replacement in parts: literal texts and group numbers. */
const parts = fc.array(fc.oneof(fc.constantFrom('x', '$', '$!', '$1', '\\1', '\\n', ' ', '\n'), fc.nat(4)), {
  maxLength: 5,
});

const replOf = (from: readonly (string | number)[]) =>
  from.map((part) => (typeof part === 'number' ? `$!${part}` : part)).join('');

test('a regular expression is replaced as the brute-force matcher predicts: offsets, `$!n`, ambiguity', () => {
  let ambiguous = 0;
  let multiple = 0;
  fc.assert(
    fc.property(tree, parts, text, (root, wanted, input) => {
      const { node, groupCount } = numbered(root);
      const known = wanted.filter((part) => typeof part === 'string' || part <= groupCount);
      const expected = bruteMatches(node, input, groupCount).map(({ start, end, groups }) => ({
        start,
        end,
        replacement: known.map((part) => (typeof part === 'string' ? part : (groups[part] ?? ''))).join(''),
        isAmbiguous:
          input.slice(start, end).includes('\n') &&
          bruteMatches(node, input.slice(start + 1, end), groupCount).length > 0,
      }));
      if (expected.some(({ isAmbiguous }) => isAmbiguous)) ambiguous++;
      if (expected.length > 1) multiple++;
      const rule = compileSubstitution({ needle: patternOf(node), repl: replOf(known), mode: 'regex' });
      expect(rule.find(input)).toEqual(expected);
    }),
    runs,
  );
  // The property must really have been exercised.
  expect(ambiguous).toBeGreaterThan(50);
  expect(multiple).toBeGreaterThan(200);
});

test('a literal text is replaced exactly where it occurs', () => {
  const needle = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '.', '$'), maxLength: 3 });
  fc.assert(
    fc.property(needle, text, fc.string(), (wanted, input, repl) => {
      const node: Brute = { kind: 'text', text: wanted };
      const expected = bruteMatches(node, input, 0).map(({ start, end }) => ({ start, end, replacement: repl }));
      const found = compileSubstitution({ needle: wanted, repl, mode: 'literal' }).find(input);
      expect(found).toEqual(expected.map((each) => ({ ...each, isAmbiguous: false })));
    }),
    runs,
  );
});

test('a literal text is found like the equivalent pattern', () => {
  const needle = fc.string({ unit: fc.constantFrom('a', '\n', '.', '(', '\\', '😀'), maxLength: 3 });
  const astral = fc.string({ unit: fc.constantFrom('a', '\n', '.', '(', '\\', '😀', '\ufeff'), maxLength: 12 });
  fc.assert(
    fc.property(needle, astral, (wanted, input) => {
      const literal = compileSubstitution({ needle: wanted, repl: '', mode: 'literal' }).find(input);
      const pattern = wanted.replace(/[\\.(]/g, '\\$&');
      expect(literal).toEqual(compileSubstitution({ needle: pattern, repl: '', mode: 'regex' }).find(input));
    }),
    runs,
  );
});
