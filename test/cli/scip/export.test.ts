import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Index } from '@c4312/scip/scip_pb.js';
import { z } from 'zod';
import { startClient } from '../../support/client.ts';
import { explainedReferences } from '../../support/explained-references.ts';
import { ownHome } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { definitionsIn, namePathIn, readIndex, referencesIn } from '../../support/scip.ts';
import { copyFixture, makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 240_000;

const Summary = z.object({
  documents: z.number(),
  asked: z.number(),
  openCount: z.number(),
  failures: z.array(z.object({ what: z.string(), reason: z.string() })),
});

/** Runs `serena scip export` in a project. Returns its summary and the index. */
async function exported(project: Workspace, env: Readonly<Record<string, string>>) {
  const output = join(project.root, 'index.scip');
  const { code, stdout, stderr } = await runProgram(['scip', 'export', '--output', output, '--json'], {
    ...{ cwd: project.root, env, timeoutMs },
  });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return { summary: Summary.parse(JSON.parse(stdout)), index: readIndex(output) };
}

/** Returns the names of the symbols that other files may refer to, with their files. */
function symbolsOf(index: Index): { readonly file: string; readonly symbol: string }[] {
  return index.documents.flatMap(({ relativePath, symbols }) =>
    symbols.filter(({ symbol }) => !symbol.startsWith('local ')).map(({ symbol }) => ({ file: relativePath, symbol })),
  );
}

const expected: Readonly<Record<string, { readonly symbol: string; readonly references: readonly string[] }>> = {
  typescript: {
    symbol: 'scip-typescript npm shop . src/`helper.ts`/Basket#total().',
    references: ['src/checkout.ts:4:37-42', 'src/receipt.ts:10:44-49'],
  },
  python: {
    symbol: 'scip-python python . . `shop.helper`/Basket#total().',
    references: ['shop/checkout.py:5:33-38', 'shop/receipt.py:8:49-54'],
  },
  go: {
    symbol: 'scip-go gomod example.test/shop . `example.test/shop/shop`/Basket#Total().',
    references: ['shop/checkout.go:4:31-36', 'shop/receipt.go:9:38-43'],
  },
};

describe('scip export', () => {
  test.each(Object.keys(expected))(
    'writes the answers about each symbol of %s',
    async (language) => {
      await using project = copyFixture(language);
      const env = ownHome();
      const { index } = await exported(project, env);
      const { symbol, references } = expected[language] ?? { symbol: '', references: [] };
      expect(referencesIn(index, symbol)).toEqual([...references]);
      await using client = await startClient({ env, args: ['--project', project.root] });
      const symbols = symbolsOf(index);
      expect(symbols.length).toBeGreaterThan(15);
      for (const { file, symbol } of symbols) {
        const explained = await explainedReferences(client, namePathIn(symbol), file);
        const live = explained.flatMap((line) => (line.startsWith('own ') ? [line.split(' ')[1] ?? ''] : []));
        const lines = referencesIn(index, symbol).map((place) => place.split(':').slice(0, 2).join(':'));
        expect({ symbol, lines }).toEqual({ symbol, lines: live.sort() });
        expect(definitionsIn(index, symbol).length).toBeGreaterThan(0);
      }
    },
    timeoutMs,
  );

  test(
    'relates what implements a symbol to it',
    async () => {
      await using project = copyFixture('typescript');
      const { index } = await exported(project, ownHome());
      const half = index.documents
        .flatMap(({ symbols }) => symbols)
        .filter(({ symbol }) => symbol.includes('HalfOff#'));
      const related = half.flatMap(({ symbol, relationships }) =>
        relationships
          .filter(({ isImplementation }) => isImplementation)
          .map((other) => `${namePathIn(symbol)} ${namePathIn(other.symbol)} ${other.isReference}`),
      );
      expect(related).toEqual(['HalfOff Discount false', 'HalfOff/apply Discount/apply true']);
    },
    timeoutMs,
  );

  test(
    'asks again only about what has changed',
    async () => {
      await using project = makeWorkspace({
        'a.py': 'def one():\n    return 1\n\n\ndef two():\n    return 2\n',
        'b.py': 'from a import one\n\n\ndef use():\n    return one()\n',
        'c.py': 'def apart():\n    return 3\n\n\ndef further():\n    return apart()\n',
      });
      const env = ownHome();
      const first = await exported(project, env);
      expect(first.summary).toEqual({ documents: 3, asked: 5, openCount: 0, failures: [] });
      const again = await exported(project, env);
      expect(again.summary.asked).toBe(0);
      expect(again.index).toEqual(first.index);
      project.write('b.py', 'from a import one, two\n\n\ndef use():\n    return one() + two()\n');
      const changed = await exported(project, env);
      // `use`, and `one` and `two`, whose names stand in the file.
      expect(changed.summary.asked).toBe(3);
      const two = 'scip-python python . . a/two().';
      expect(referencesIn(changed.index, two)).toEqual(['b.py:0:19-22', 'b.py:4:19-22']);
      // What a fresh export writes.
      expect(changed.index).toEqual((await exported(project, ownHome())).index);
    },
    timeoutMs,
  );
});
