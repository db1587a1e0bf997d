import { expect, test } from 'bun:test';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

/** The seed is fixed, so that a failure can be repeated. */
const runs = { numRuns: 12, seed: 67 };
const preload = fileURLToPath(new URL('crash-preload.ts', import.meta.url));
const child = fileURLToPath(new URL('undo-child.ts', import.meta.url));
const paths = ['a.txt', 'b.txt', 'deep/c.txt', 'deep/er/d.txt', 'e.txt'];

/** A file with `text`, or its removal. A new text differs from all earlier ones by its number. */
const change = fc.record({ path: fc.constantFrom(...paths), removes: fc.boolean() });
/** The number of the change of the file system before which the child kills itself; an edit makes about 15 to 60. */
const crash = fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined });
const edit = fc.record({
  changes: fc.uniqueArray(change, { minLength: 1, maxLength: 4, selector: ({ path }) => path }),
  crash,
});
const scenario = fc.record({ edits: fc.array(edit, { minLength: 2, maxLength: 6 }), undoCrash: crash });

/** Returns the content and the permissions of every file, by path. Edits leave no other files. */
function snapshot({ root }: Workspace): Record<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(root, path)).isFile(),
  );
  return Object.fromEntries(
    files.sort().map((path) => {
      const { mode } = statSync(join(root, path));
      return [path, `${(mode & 0o777).toString(8)} ${readFileSync(join(root, path), 'base64')}`];
    }),
  );
}

/** A child process that edits and undoes; it is started again after it has killed itself. */
class Editor {
  readonly #args: readonly string[];
  #process: ChildProcessWithoutNullStreams | undefined;
  #lines: AsyncIterator<string> | undefined;
  /** How often the child killed itself. */
  crashes = 0;

  constructor(workspace: Workspace, directory: string) {
    this.#args = ['--preload', preload, child, workspace.root, directory];
  }

  /** Returns the child's answer; `undefined` if it killed itself before. */
  async send(command: { readonly [name: string]: unknown }): Promise<string | undefined> {
    this.#process ??= this.#start();
    this.#process.stdin.write(`${JSON.stringify(command)}\n`);
    const line = await this.#lines?.next();
    if (line?.done !== true) return line?.value;
    this.#process = undefined;
    this.crashes++;
    return undefined;
  }

  async close(): Promise<void> {
    if (this.#process === undefined) return;
    const exited = once(this.#process, 'exit');
    this.#process.stdin.end();
    await exited;
  }

  #start(): ChildProcessWithoutNullStreams {
    const started = spawn(process.execPath, [...this.#args, randomUUID()], { stdio: 'pipe' });
    this.#lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
    return started;
  }
}

test('undo restores the bytes of every file after any edits and crashes', async () => {
  let number = 0;
  let crashes = 0;
  const undo = { reverse: 'undo', count: 1 };
  await fc.assert(
    fc.asyncProperty(scenario, async ({ edits, undoCrash }) => {
      const workspace = makeWorkspace({ 'a.txt': 'a\n', 'b.txt': '\ufeffb', 'deep/c.txt': 'c' });
      chmodSync(workspace.path('a.txt'), 0o751);
      const editor = new Editor(workspace, join(makeTempDir('state'), 'edits'));
      // The states before the first edit, and after each edit that was made.
      const states = [snapshot(workspace)];
      const current = () => states.at(-1) ?? {};
      for (const { changes, crash } of edits) {
        const planned = changes.flatMap(({ path, removes }): { path: string; text: string | null }[] => {
          if (removes) return path in current() ? [{ path, text: null }] : [];
          return [{ path, text: `${path} ${number++}\r\n` }];
        });
        if (planned.length === 0) continue;
        const said = await editor.send({ changes: planned, crash });
        // The next process finishes an interrupted edit or takes it back. There is nothing to redo after an edit.
        if (said === undefined) expect(await editor.send({ reverse: 'redo', count: 1 })).toBe('edit.refused');
        else expect(said).toBe('done');
        const now = snapshot(workspace);
        if (said === 'done' || !isDeepStrictEqual(now, current())) states.push(now);
      }
      const [last, ...earlier] = states.toReversed();
      if (earlier.length > 0 && (await editor.send({ ...undo, crash: undoCrash })) === undefined) {
        // Whether the interrupted undo was made or not, all files have one of the two states.
        await editor.send({ reverse: 'redo', count: 1 });
        expect(snapshot(workspace)).toEqual(last ?? {});
        expect(await editor.send(undo)).toBe('done');
      }
      for (const [index, expected] of earlier.entries()) {
        if (index > 0) expect(await editor.send(undo)).toBe('done');
        expect(snapshot(workspace)).toEqual(expected);
      }
      expect(await editor.send(undo)).toBe('edit.refused');
      if (earlier.length > 0) expect(await editor.send({ reverse: 'redo', count: earlier.length })).toBe('done');
      expect(snapshot(workspace)).toEqual(last ?? {});
      await editor.close();
      crashes += editor.crashes;
    }),
    runs,
  );
  expect(crashes).toBeGreaterThan(runs.numRuns);
});
