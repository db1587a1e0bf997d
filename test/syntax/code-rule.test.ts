// Rules find what ast-grep finds by them.
import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { SyntaxLanguage } from '../../src/languages/profiles.ts';
import { codeRule, ruleFile } from '../../src/syntax/code-rule.ts';
import { syntaxTrees } from '../../src/syntax/syntax-trees.ts';

afterAll(() => syntaxTrees.close());

const Answers = z.object({
  about: z.string(),
  languages: z.record(
    z.string(),
    z.object({
      source: z.string(),
      rules: z.array(z.object({ rule: z.record(z.string(), z.unknown()), matches: z.array(z.string()) })),
    }),
  ),
});
const { languages } = Answers.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, 'ast-grep-answers.json'), 'utf8')),
);

async function found(language: SyntaxLanguage, source: string, rule: Readonly<Record<string, unknown>>) {
  const { fix: _, language: __, ...parsed } = 'rule' in rule ? ruleFile.parse(rule) : { rule: codeRule.parse(rule) };
  const words = await syntaxTrees.rule(language, parsed);
  if (typeof words === 'string') throw new Error(words);
  const matches = await syntaxTrees.matches(language, source, parsed);
  if (matches.length > 0) expect(words.words.filter((word) => !source.includes(word))).toEqual([]);
  return matches.map(({ start, end }) => `${start}-${end}`);
}

describe.each(['typescript', 'python', 'go'] as const)('in %s', (language) => {
  const { source = '', rules = [] } = languages[language] ?? {};
  test.each(rules.map(({ rule, matches }) => [JSON.stringify(rule), rule, matches] as const))(
    '%s',
    async (_, rule, matches) => {
      expect(await found(language, source, rule)).toEqual([...matches]);
    },
  );
});

describe('no rule is', () => {
  test.each([
    [{ rule: { kind: 'nonsense' } }, 'no nodes of the kind `nonsense`'],
    [{ rule: { matches: 'a' }, utils: { a: { matches: 'a' } } }, 'the rule `a` refers to itself'],
    [{ rule: { pattern: { context: 'a()', selector: 'class_body' } } }, '`a()` has no `class_body`'],
    [{ rule: { kind: 'identifier', follows: { kind: 'identifier', field: 'name' } } }, '`field` belongs to'],
  ])('%p', async (rule, problem) => {
    expect(await syntaxTrees.rule('typescript', rule)).toContain(problem);
  });

  test('a file with what is not supported', () => {
    const parsed = ruleFile.safeParse({ rule: { kind: 'a' }, transform: {} });
    expect(parsed.error?.issues[0]?.message).toContain('transform');
  });
});
