import { expect, test } from 'bun:test';
import { existsSync, readFileSync, type Stats, statSync, utimesSync } from 'node:fs';
import fc from 'fast-check';
import type { ScanResponse } from '../../src/search/scan-protocol.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';
import { newWorker, type Question, searchFor, settle } from './indexed-project.ts';

const words = [
  'task',
  'Task',
  'TASK',
  'taſk',
  'tasK',
  'tasks',
  'multitask',
  'os',
  'basket',
  'größe',
  'GRÖSSE',
  'x',
  'ta',
];
const separators = [' ', '\n', '\r\n', '\r', '.', '(', '_', '…', '-', ' = '];
const texts = fc
  .array(fc.oneof(fc.constantFrom(...words), fc.constantFrom(...separators)), { maxLength: 5 })
  .map((parts) => parts.join(''));

/** Files in other encodings, invalid ones and binary ones among those in UTF-8. */
const contents = fc.oneof(
  { weight: 8, arbitrary: texts.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: texts.map((text) => Buffer.from(`\ufeff${text}`, 'utf16le')) },
  { weight: 1, arbitrary: texts.map((text) => Buffer.from(`\ufeff${text}`)) },
  { weight: 1, arbitrary: texts.map((text) => Buffer.from(`ö ${text}`, 'latin1')) },
  { weight: 1, arbitrary: texts.map((text) => Buffer.from(`\0 ${text}`)) },
);

const paths = fc.constantFrom('a.py', 'b.py', 'c.ts', 'd/a.py', 'd/e/f.py', 'd/g.txt', 'ignored/h.py');

const directories = fc.constantFrom('d', 'd/e', 'f', 'ignored');

type Change =
  | { readonly kind: 'write'; readonly path: string; readonly content: Buffer; readonly hasOldTime: boolean }
  | { readonly kind: 'move'; readonly path: string; readonly to: string }
  | { readonly kind: 'remove' | 'reverse'; readonly path: string }
  | { readonly kind: 'move-directory'; readonly path: string; readonly to: string }
  | { readonly kind: 'ignore'; readonly path: string; readonly patterns: string }
  | { readonly kind: 'clock'; readonly path: string; readonly seconds: number };

const changes: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: fc.constant('write' as const), path: paths, content: contents },
      hasOldTime: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), path: paths, to: paths }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ kind: fc.constant('move-directory' as const), path: directories, to: directories },
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ kind: fc.constant('ignore' as const), path: fc.constantFrom('.gitignore', 'd/.gitignore') },
      patterns: fc.constantFrom('', 'ignored/\n', '*.py\n', 'e/\n', '*.py\n!a.py\n', 'd\n'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('remove' as const, 'reverse' as const), path: paths }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ kind: fc.constant('clock' as const), path: paths },
      seconds: fc.constantFrom(-1_000_000, -1, 1_000),
    }),
  },
);

/** Sets a file's time so that not even its fraction of a millisecond differs. */
function setModified(path: string, { atimeMs, mtimeMs }: Stats): void {
  utimesSync(path, atimeMs / 1000, mtimeMs / 1000);
}

function apply(workspace: Workspace, change: Change): void {
  const path = workspace.path(change.path);
  if (change.kind === 'write') {
    const before = statSync(path, { throwIfNoEntry: false });
    workspace.write(change.path, change.content);
    // As programs do that unpack archives or restore files.
    if (change.hasOldTime && before !== undefined) setModified(path, before);
  }
  if (change.kind === 'ignore') workspace.write(change.path, change.patterns);
  if (!existsSync(path)) return;
  if (change.kind === 'move-directory') {
    if (`${change.to}/`.startsWith(`${change.path}/`) || `${change.path}/`.startsWith(`${change.to}/`)) return;
    if (existsSync(workspace.path(change.to))) workspace.remove(change.to);
    workspace.move(change.path, change.to);
  }
  if (change.kind === 'reverse') {
    // Only the time of the change of its metadata shows this.
    const before = statSync(path);
    workspace.write(change.path, readFileSync(path).reverse());
    setModified(path, before);
  }
  if (change.kind === 'move' && change.to !== change.path) workspace.move(change.path, change.to);
  if (change.kind === 'remove') workspace.remove(change.path);
  if (change.kind === 'clock') {
    const time = new Date(Date.now() + change.seconds * 1000);
    utimesSync(path, time, time);
  }
}

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
  edits: fc.array(changes, { maxLength: 6 }),
  questions: fc.array(questions, { minLength: 4, maxLength: 16 }),
  isUpdated: fc.boolean(),
});

for (const encoding of ['utf-8', 'latin-1', 'gbk']) {
  test(`every answer with the index is that of a scan without it (${encoding})`, () => {
    const rounds = fc.array(round, { minLength: 2, maxLength: 5 });
    const property = fc.property(rounds, (rounds) => {
      const workspace = makeWorkspace({
        '.gitignore': 'ignored/\n',
        'a.py': 'task(os)\n',
        'c.ts': 'taſk task-os',
        'd/a.py': 'os = xs\n',
      });
      const directory = makeTempDir('index');
      const running = newWorker(workspace, { directory, encoding });
      for (const { edits, isUpdated, questions } of rounds) {
        for (const edit of edits) apply(workspace, edit);
        const started = newWorker(workspace, { directory, encoding });
        if (isUpdated) {
          settle();
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
    });
    fc.assert(property, { numRuns: encoding === 'utf-8' ? 80 : 20 });
  }, 120_000);
}
