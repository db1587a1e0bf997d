import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  type Stats,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import type { Workspace } from '../support/workspace.ts';

export const words = [
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
export const separators = [' ', '\n', '\r\n', '\r', '.', '(', '_', '…', '-', ' = '];
export const texts = fc
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

export type Edit =
  | { readonly kind: 'write'; readonly path: string; readonly content: Buffer; readonly hasOldTime: boolean }
  | { readonly kind: 'append'; readonly path: string; readonly content: Buffer }
  | { readonly kind: 'move' | 'link'; readonly path: string; readonly to: string }
  | { readonly kind: 'remove' | 'reverse'; readonly path: string }
  | { readonly kind: 'move-directory'; readonly path: string; readonly to: string }
  | { readonly kind: 'ignore'; readonly path: string; readonly patterns: string }
  | { readonly kind: 'clock'; readonly path: string; readonly seconds: number };

/** Random changes of a few files and directories. */
export const edits: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: fc.constant('write' as const), path: paths, content: contents },
      hasOldTime: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('append' as const), path: paths, content: contents }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('move' as const, 'link' as const), path: paths, to: paths }),
  },
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

/** Makes a change as another program would. A change that makes no sense does nothing. */
export function applyEdit(workspace: Workspace, change: Edit): void {
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
  if (change.kind === 'append') appendFileSync(path, change.content);
  // Afterwards each of both names changes the content of the other.
  if (change.kind === 'link' && !existsSync(workspace.path(change.to))) {
    mkdirSync(dirname(workspace.path(change.to)), { recursive: true });
    linkSync(path, workspace.path(change.to));
  }
  if (change.kind === 'move' && change.to !== change.path) workspace.move(change.path, change.to);
  if (change.kind === 'remove') workspace.remove(change.path);
  if (change.kind === 'clock') {
    const time = new Date(Date.now() + change.seconds * 1000);
    utimesSync(path, time, time);
  }
}
