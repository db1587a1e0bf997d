import { expect, test } from 'bun:test';
import { closeSync } from 'node:fs';
import fc from 'fast-check';
import { rounds } from '../support/rounds.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { newWorker, type Question, type ScanResponse, searchFor, settle } from './indexed-project.ts';
import { applyEdit, edits, separators, texts, words } from './random-edits.ts';

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Patterns around the words and separators of the texts, also invalid ones. */
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    { weight: 6, arbitrary: fc.constantFrom(...words, ...separators).map(escaped) },
    { weight: 2, arbitrary: fc.constantFrom('.', '\\w+', '\\s*', '\\b', '[tT]ask', 'k?', '(?:s)?', '\\x74', '^', '$') },
    { weight: 1, arbitrary: tie('pattern').map((body) => `(?:${body})`) },
    { weight: 1, arbitrary: tie('pattern').map((body) => `(${body})?`) },
    { weight: 1, arbitrary: tie('pattern').map((body) => `(?:${body}){1,2}`) },
    { weight: 1, arbitrary: tie('pattern').map((body) => `(?i:${body})`) },
    { weight: 1, arbitrary: tie('pattern').map((body) => `(?-i:${body})`) },
    { weight: 1, arbitrary: tie('pattern').map((body) => `(?!${body})`) },
    { weight: 1, arbitrary: tie('pattern').map((body) => `(?=${body})`) },
    { weight: 1, arbitrary: tie('pattern').map((body) => `(?>${body})`) },
    { weight: 1, arbitrary: tie('pattern').map((body) => `(${body})\\1`) },
  ),
  pattern: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: fc.array(tie('part'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: fc.tuple(tie('pattern'), tie('pattern')).map((options) => options.join('|')) },
  ),
}));

const scope = fc.record({ under: fc.constantFrom('', '', 'd'), includeIgnored: fc.boolean() });
const languages = { '.py': 'python', '.ts': 'typescript' };
const name = fc.constantFrom(...words, 'task-os', 'os.ta', 'x…x', 'ta task');

const questions: fc.Arbitrary<Question> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        pattern: fc.oneof(fc.constantFrom(...words), pattern),
        flag: fc.constantFrom('', '(?i)'),
        multiline: fc.boolean(),
        scope,
      })
      .map(({ pattern, flag, multiline, scope }): Question => {
        const { kind, query } = searchFor(flag + pattern, multiline);
        return { kind, query: { ...query, ...scope } };
      }),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ needle: pattern, isLiteral: fc.boolean(), scope })
      .map(({ needle, isLiteral, scope }): Question => {
        const mode = isLiteral ? 'literal' : 'regex';
        return {
          kind: 'occurrences',
          query: { ...scope, needle, repl: '', mode, maxChars: 10_000, withEdits: true },
        };
      }),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ name, isPart: fc.boolean(), scope })
      .map(
        ({ name, isPart, scope }): Question => ({ kind: 'identifiers', query: { ...scope, name, isPart, languages } }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ literal: fc.oneof(name, texts), scope })
      .map(({ literal, scope }): Question => ({ kind: 'filesContaining', query: { ...scope, literal } })),
  },
);

/** Returns what a question reports, without the fields that concern only the index. */
function outcome(response: ScanResponse): unknown {
  if ('answer' in response) return response.answer;
  return 'failure' in response ? response.failure.message : response;
}

/** Fingerprints of files that have just changed depend on whether the worker has seen them before. */
function withoutFingerprints(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === 'fingerprint' ? undefined : inner)));
}

const round = fc.record({
  edits: fc.array(edits, { maxLength: 6 }),
  questions: fc.array(questions, { minLength: 4, maxLength: 16 }),
  isSettled: fc.boolean(),
  isUpdated: fc.boolean(),
});

for (const encoding of ['utf-8', 'latin-1', 'gbk']) {
  test(`every answer with the index is that of a scan without it (${encoding})`, () => {
    const histories = fc.array(round, { minLength: 2, maxLength: 5 });
    const property = fc.property(histories, (history) => {
      const workspace = makeWorkspace({
        '.gitignore': 'ignored/\n',
        'a.py': 'task(os)\n',
        'c.ts': 'taſk task-os',
        'd/a.py': 'os = xs\n',
      });
      const directory = makeTempDir('index');
      const descriptor = new SharedArrayBuffer(4);
      const running = newWorker(workspace, { directory, encoding, descriptor });
      for (const { edits, isSettled, isUpdated, questions } of history) {
        // Hard links in directories that nobody asked about are found later.
        running({ kind: 'listFiles', query: { includeIgnored: true } });
        for (const edit of edits) applyEdit(workspace, edit);
        const started = newWorker(workspace, { directory, encoding });
        // What the running worker knows of earlier states must not count for the current ones.
        if (isSettled || isUpdated) settle();
        if (isUpdated) {
          expect(outcome(started({ kind: 'updateIndex', query: {} }))).toBeNumber();
        }
        const scanning = newWorker(workspace, { encoding });
        for (const question of questions) {
          const expected = withoutFingerprints(outcome(scanning(question)));
          const asked = JSON.stringify(question);
          expect([asked, withoutFingerprints(outcome(running(question)))]).toEqual([asked, expected]);
          expect([asked, withoutFingerprints(outcome(started(question)))]).toEqual([asked, expected]);
        }
      }
      const [fd = 0] = new Int32Array(descriptor);
      if (fd !== 0) closeSync(fd);
    });
    fc.assert(property, { numRuns: encoding === 'utf-8' ? rounds(24, 80) : rounds(8, 20) });
  });
}
