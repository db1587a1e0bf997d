import { describe, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { Scanner } from '../../src/search/scanner.ts';
import { rounds } from '../support/rounds.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';
import { newWorker, type Question, settle } from './indexed-project.ts';
import { applyEdit, edits, words } from './random-edits.ts';

/** Watches begin with this request. */
const firstWatched = 4;

/** More than a queue of the kernel holds. */
const manyEvents = 40_000;

const questions: readonly Question[] = [
  { kind: 'listFiles', query: {} },
  { kind: 'listDirectory', query: { path: '', recursive: true, includeIgnored: true } },
  { kind: 'extensionCounts', query: {} },
  ...words.map((literal): Question => ({ kind: 'filesContaining', query: { literal } })),
];

/** Fingerprints of files that have just changed depend on whether the worker has seen them before. */
function render(answer: unknown): string {
  return JSON.stringify(answer, (key, value) => (['fingerprint', 'id'].includes(key) ? undefined : value));
}

/** Runs `work` with a worker that watches a project, and stops watching. */
function watching<T>(workspace: Workspace, work: (ask: (question: Question) => string) => T): T {
  const descriptor = new SharedArrayBuffer(4);
  const ask = newWorker(workspace, { descriptor });
  for (let id = 1; id < firstWatched; id++) ask({ kind: 'extensionCounts', query: {} });
  try {
    return work((question) => render(ask(question)));
  } finally {
    const [fd = 0] = new Int32Array(descriptor);
    if (fd !== 0) closeSync(fd);
  }
}

/** Returns what a worker without any knowledge of earlier questions answers. */
function scan(workspace: Workspace, question: Question): string {
  return render(newWorker(workspace, {})(question));
}

test('every answer of a process that watches is that of a new process', () => {
  const histories = fc.array(fc.array(edits, { maxLength: 4 }), { minLength: 2, maxLength: 6 });
  const property = fc.property(histories, (history) => {
    const workspace = makeWorkspace({ '.gitignore': 'ignored/\n', 'a.py': 'task', 'd/e/f.py': 'os', 'c.ts': 'x' });
    watching(workspace, (ask) => {
      for (const round of history) {
        // What has just changed is checked in any case, so this makes the worker rely on its watches and on earlier walks.
        settle();
        ask({ kind: 'listFiles', query: { includeIgnored: true } });
        for (const question of questions) ask(question);
        for (const edit of round) applyEdit(workspace, edit);
        for (const question of questions)
          expect([question, ask(question)]).toEqual([question, scan(workspace, question)]);
      }
    });
  });
  fc.assert(property, { numRuns: rounds(20, 60) });
});

const allFiles: Question = { kind: 'listFiles', query: {} };

/** Asks until an answer can only differ from the next one by a change. */
function repeat(ask: (question: Question) => string, question: Question): void {
  settle();
  for (let count = 0; count < 2; count++) ask(question);
}

test('a walk that need not be current is not taken for one that is', () => {
  const workspace = makeWorkspace({ 'a.py': 'x', 'd/b.py': 'x' });
  watching(workspace, (ask) => {
    repeat(ask, allFiles);
    workspace.write('d/new.py', 'x');
    settle();
    // As a part of a question that began before the change.
    ask({ kind: 'listFiles', query: { asOf: firstWatched - 1 } });
    expect(ask(allFiles)).toBe(scan(workspace, allFiles));
  });
});

test('a change of ignore rules beside the sources is found in every scope', () => {
  const workspace = makeWorkspace({ '.git/info/exclude': '', 'a.py': 'x', 'd/b.py': 'x' });
  const inPython: Question = { kind: 'listFiles', query: { extensions: ['.py'] } };
  watching(workspace, (ask) => {
    repeat(ask, allFiles);
    workspace.write('.git/info/exclude', 'a.py\n');
    for (const question of [inPython, allFiles]) expect(ask(question)).toBe(scan(workspace, question));
  });
});

test('a change of an ignore file through another name is found', () => {
  const workspace = makeWorkspace({ 'd/.gitignore': '# none\n', 'd/a.py': 'x', 'e/b.py': 'x' });
  linkSync(workspace.path('d/.gitignore'), workspace.path('e/rules'));
  watching(workspace, (ask) => {
    repeat(ask, allFiles);
    appendFileSync(workspace.path('e/rules'), 'a.py\n');
    expect(ask(allFiles)).toBe(scan(workspace, allFiles));
  });
});

test('a change is found although more events than the queue holds are lost', () => {
  const workspace = makeWorkspace({ 'many/a.py': 'x', 'many/b.py': 'x', 'd/e/f.py': 'old' });
  const literal: Question = { kind: 'filesContaining', query: { literal: 'new' } };
  const overflow = () => {
    // Equal events in a row are one event.
    for (let count = 0; count < manyEvents; count++)
      writeFileSync(workspace.path(`many/${count % 2 ? 'a' : 'b'}.py`), 'x');
  };
  watching(workspace, (ask) => {
    expect(ask(literal)).toBe(scan(workspace, literal));
    overflow();
    writeFileSync(workspace.path('d/e/f.py'), 'new');
    expect(ask(literal)).toBe(scan(workspace, literal));
    overflow();
    renameSync(workspace.path('d'), workspace.path('g'));
    expect(ask(literal)).toBe(scan(workspace, literal));
    writeFileSync(workspace.path('g/e/f.py'), 'old');
    expect(ask(literal)).toBe(scan(workspace, literal));
  });
});

test('a directory that is replaced while another program has it open is found', () => {
  const workspace = makeWorkspace({ 'd/e/a.py': 'old', 'd/b.py': 'old' });
  const question: Question = { kind: 'filesContaining', query: { literal: 'new' } };
  watching(workspace, (ask) => {
    expect(ask(question)).toBe(scan(workspace, question));
    // The kernel reports the end of a directory to its own watch only when nobody uses it any more.
    const fds = ['d', 'd/e'].map((path) => openSync(workspace.path(path), 'r'));
    workspace.remove('d');
    workspace.write('d/e/a.py', 'new');
    expect(ask(question)).toBe(scan(workspace, question));
    // What has just changed is checked in any case.
    settle();
    expect(ask(question)).toBe(scan(workspace, question));
    workspace.write('d/b.py', 'new');
    expect(ask(question)).toBe(scan(workspace, question));
    for (const fd of fds) closeSync(fd);
    workspace.write('d/e/c.py', 'new');
    expect(ask(question)).toBe(scan(workspace, question));
  });
});

test('a tree of directories that was moved away and written again is found', () => {
  const workspace = makeWorkspace({ 'd/e/a.py': 'old', 'b.py': 'old' });
  const question: Question = { kind: 'filesContaining', query: { literal: 'new' } };
  watching(workspace, (ask) => {
    settle();
    expect(ask(question)).toBe(scan(workspace, question));
    renameSync(workspace.path('d'), workspace.path('z'));
    workspace.write('d/e/c.py', 'new');
    expect(ask(question)).toBe(scan(workspace, question));
  });
});

test('a file that changes through a hard link in another directory is found under both names', () => {
  const workspace = makeWorkspace({ 'a.py': 'old', 'd/b.py': 'old' });
  const question: Question = { kind: 'filesContaining', query: { literal: 'new' } };
  watching(workspace, (ask) => {
    settle();
    expect(ask(question)).toBe(scan(workspace, question));
    linkSync(workspace.path('a.py'), workspace.path('d/link.py'));
    appendFileSync(workspace.path('d/link.py'), 'new');
    expect(ask(question)).toBe(scan(workspace, question));
    writeFileSync(workspace.path('d/link.py'), 'old');
    settle();
    expect(ask(question)).toBe(scan(workspace, question));
    appendFileSync(workspace.path('d/link.py'), 'new');
    expect(ask(question)).toBe(scan(workspace, question));
  });
});

test('a file that changes through a hard link in a new directory is found under both names', () => {
  const workspace = makeWorkspace({ 'a.py': 'old', 'd/b.py': 'old' });
  const question: Question = { kind: 'filesContaining', query: { literal: 'new' } };
  watching(workspace, (ask) => {
    settle();
    expect(ask(question)).toBe(scan(workspace, question));
    mkdirSync(workspace.path('d/e'));
    linkSync(workspace.path('a.py'), workspace.path('d/e/link.py'));
    appendFileSync(workspace.path('d/e/link.py'), 'new');
    expect(ask(question)).toBe(scan(workspace, question));
    writeFileSync(workspace.path('d/e/link.py'), 'old');
    settle();
    expect(ask(question)).toBe(scan(workspace, question));
    appendFileSync(workspace.path('d/e/link.py'), 'new');
    expect(ask(question)).toBe(scan(workspace, question));
  });
});

describe('a file is checked after it had another name for a while', () => {
  type Change = (path: (...segments: string[]) => string) => void;
  const changes: Readonly<Record<string, Change>> = {
    'and lost it': (path) => {
      linkSync(path('d/a.py'), path('b.py'));
      appendFileSync(path('b.py'), 'new');
      unlinkSync(path('b.py'));
    },
    'that was moved': (path) => {
      linkSync(path('d/a.py'), path('b.py'));
      renameSync(path('b.py'), path('c.py'));
      appendFileSync(path('c.py'), 'new');
    },
    'that was moved out of sight': (path) => {
      linkSync(path('d/a.py'), path('b.py'));
      renameSync(path('b.py'), path('ignored/b.py'));
      appendFileSync(path('ignored/b.py'), 'new');
    },
    'that came into sight': (path) => {
      linkSync(path('d/a.py'), path('ignored/b.py'));
      renameSync(path('ignored/b.py'), path('b.py'));
      appendFileSync(path('b.py'), 'new');
    },
  };
  for (const [how, change] of Object.entries(changes)) {
    test(how, () => {
      const workspace = makeWorkspace({ '.gitignore': 'ignored/\n', 'd/a.py': 'old', 'ignored/z': 'old' });
      const question: Question = { kind: 'filesContaining', query: { literal: 'new' } };
      watching(workspace, (ask) => {
        settle();
        repeat(ask, question);
        change((...segments) => workspace.path(...segments));
        expect(ask(question)).toBe(scan(workspace, question));
      });
    });
  }
});

test('a write of another process is found as soon as that process knows that it is finished', async () => {
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`d${at % 20}/f${at}.py`, 'nothing\n']));
  const workspace = makeWorkspace(files);
  const writer = fileURLToPath(new URL('./writing-child.ts', import.meta.url));
  const child = spawn(process.execPath, ['run', writer, workspace.root], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]();
  const descriptor = new SharedArrayBuffer(4);
  const ask = newWorker(workspace, { descriptor });
  const missed: string[] = [];
  for (let round = 0; round < 1000; round++) {
    child.stdin.write(`token_${round}_\n`);
    const { value } = await lines.next();
    const answer = render(ask({ kind: 'filesContaining', query: { literal: `token_${round}_` } }));
    if (!answer.includes(String(value).trim())) missed.push(`${round}: ${value}`);
  }
  child.stdin.end();
  expect(missed).toEqual([]);
  const [fd = 0] = new Int32Array(descriptor);
  if (fd !== 0) closeSync(fd);
});

test('a closed scanner leaves no queue of changes open', async () => {
  const isQueue = (fd: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes('inotify');
    } catch {
      return false;
    }
  };
  const queues = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').filter(isQueue).length : 0);
  const before = queues();
  const workspace = makeWorkspace({ 'a.py': 'x' });
  const workerUrl = new URL('../../src/search/worker.ts', import.meta.url);
  const options = { workerUrl, root: workspace.root, links: 'inside' as const, ignoredPaths: [] };
  const scanner = new Scanner({ ...options, useGitignore: true, encoding: 'utf-8', deadlineMs: 10_000 });
  for (let id = 0; id < 2 * firstWatched; id++) await scanner.listFiles({});
  expect(queues()).toBe(before + (process.platform === 'linux' ? 1 : 0));
  await scanner[Symbol.asyncDispose]();
  expect(queues()).toBe(before);
});
