// Trees of the syntax that one process has made, in later processes.
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { projectState } from '../../../src/config/data-directory.ts';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeHome } from '../../support/homes.ts';
import { rounds } from '../../support/rounds.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;

const shop = 'class Basket:\n    def total(self, rate):\n        return rate\n';

function connect({ root }: Workspace, home: string): Promise<TestClient> {
  const args = ['--project', root, '--symbol-source', 'syntax'];
  return startClient({ args, symbolSource: 'configured', env: { SERENA_HOME: home } });
}

/** Asks a new process. */
async function askNew(workspace: Workspace, home: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  await using client = await connect(workspace, home);
  return await ask(client, args);
}

async function ask(client: TestClient, args: Readonly<Record<string, unknown>>): Promise<string> {
  const { blocks } = await client.call('find_symbol', { include_body: true, ...args });
  return blocks.join('\n');
}

/** Changes every stored tree; returns their number. */
function change({ root }: Workspace, home: string, edit: (bytes: Uint8Array) => Uint8Array): number {
  const path = join(projectState(home, root).cache, 'symbols-v2.sqlite');
  if (!existsSync(path)) return 0;
  const database = new DatabaseSync(path);
  const rows = database.prepare('SELECT key, symbols FROM trees').all();
  const update = database.prepare('UPDATE trees SET symbols = ? WHERE key = ?');
  for (const { key, symbols } of rows) if (symbols instanceof Uint8Array) update.run(edit(symbols), String(key));
  database.close();
  return rows.length;
}

function renamed(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(zstdDecompressSync(bytes).toString('utf8').replace('"total"', '"total_of_stored_tree"'));
}

describe('a tree that an earlier process made', () => {
  const substring = { name_path_pattern: 'total', substring_matching: true };

  test(
    'is used if the file is unchanged',
    async () => {
      const workspace = makeWorkspace({ 'shop.py': shop });
      const home = makeHome();
      expect(await askNew(workspace, home, substring)).toContain('"Basket/total"');
      expect(change(workspace, home, renamed)).toBe(1);
      const answer = await askNew(workspace, home, substring);
      expect(answer).toContain('"Basket/total_of_stored_tree"');
      expect(answer).toContain('Source: syntax tree');
    },
    timeoutMs,
  );

  test(
    'is not used for a changed file',
    async () => {
      const workspace = makeWorkspace({ 'shop.py': shop });
      const home = makeHome();
      await askNew(workspace, home, substring);
      change(workspace, home, renamed);
      workspace.write('shop.py', shop.replace('total', 'totality'));
      expect(await askNew(workspace, home, substring)).toContain('"Basket/totality"');
    },
    timeoutMs,
  );

  test(
    'is not used if it is damaged',
    async () => {
      const workspace = makeWorkspace({ 'shop.py': shop });
      const home = makeHome();
      const answer = await askNew(workspace, home, substring);
      const flipped = (bytes: Uint8Array) => bytes.map((byte, at) => (at === bytes.length - 6 ? byte ^ 1 : byte));
      expect(change(workspace, home, flipped)).toBe(1);
      expect(await askNew(workspace, home, substring)).toBe(answer);
    },
    timeoutMs,
  );

  test(
    'has the definitions of an empty file, and syntax errors',
    async () => {
      const workspace = makeWorkspace({ 'a.py': '# total\n', 'b.py': 'def total(:\n    pass\n' });
      const home = makeHome();
      const answer = await askNew(workspace, home, substring);
      expect(answer).toContain('Incomplete:\n- Definitions in `b.py` may be missing');
      expect(change(workspace, home, (bytes) => bytes)).toBe(2);
      expect(await askNew(workspace, home, substring)).toBe(answer);
    },
    timeoutMs,
  );
});

describe('find_symbol', () => {
  const names = ['task', 'Task', 'subtask', 'größe'];
  const text = fc
    .array(fc.record({ keyword: fc.constantFrom('class', 'def', '#'), name: fc.constantFrom(...names) }), {
      maxLength: 4,
    })
    .map((parts) =>
      parts
        .map(({ keyword, name }) =>
          keyword === 'class' ? `class ${name}:\n    ${name}_x = 1\n` : `${keyword} ${name}(): pass\n`,
        )
        .join(''),
    );
  const file = fc.constantFrom('a.py', 'b.py', 'd/c.py', 'd/e.py');
  const edits = fc.array(fc.record({ file, text, isRemoved: fc.boolean() }), { minLength: 1, maxLength: 3 });

  test(
    'gives the same answers with stored trees as without',
    async () => {
      const questions = ['task', 'Task', 'größe'].flatMap((name) => [
        { name_path_pattern: name },
        { name_path_pattern: name.slice(1), substring_matching: true },
        { name_path_pattern: `/${name}`, relative_path: 'd' },
      ]);
      const workspace = makeWorkspace({ 'a.py': shop, 'd/c.py': 'def task(): pass\n' });
      const home = makeHome();
      await using running = await connect(workspace, home);
      await fc.assert(
        fc.asyncProperty(edits, async (changes) => {
          for (const { file, text, isRemoved } of changes) {
            workspace.write(file, text);
            if (isRemoved && file !== 'd/c.py') workspace.remove(file);
          }
          await using started = await connect(workspace, home);
          await using fresh = await connect(workspace, makeHome());
          for (const question of questions) {
            const expected = [question, await ask(fresh, question)];
            expect([question, await ask(running, question)]).toEqual(expected);
            expect([question, await ask(started, question)]).toEqual(expected);
          }
        }),
        { numRuns: rounds(3, 6) },
      );
    },
    timeoutMs,
  );
});
