import { describe, expect, test } from 'bun:test';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { IndexSchema, PositionEncoding } from '@c4312/scip/scip_pb.js';
import { z } from 'zod';
import { startClient } from '../../support/client.ts';
import { explainedReferences } from '../../support/explained-references.ts';
import { makeHome, noServers, ownHome } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { namePathIn, readIndex } from '../../support/scip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { copyFixture, makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 240_000;

/** A home in which no language server can be started. */
const withoutServers = () => ({ SERENA_HOME: makeHome(noServers()) });

const Found = z.record(z.string(), z.record(z.string(), z.array(z.object({ content_around_reference: z.string() }))));
const Json = z.object({ result: z.unknown(), sources: z.array(z.string()), gaps: z.array(z.unknown()) });

/** Returns the answer of `serena refs` with the lines of the references, as `file:line` (0-based). */
async function references(project: Workspace, symbol: string, env: Readonly<Record<string, string>>) {
  const { stdout, stderr } = await runProgram(['refs', symbol, '--json', '--project', project.root], {
    env,
    timeoutMs,
  });
  const parsed = Json.safeParse(stdout === '' ? undefined : JSON.parse(stdout));
  if (!parsed.success) throw new Error(`${stdout}\n${stderr}`);
  const { result, sources, gaps } = parsed.data;
  const found = Found.safeParse(result);
  const lines = Object.entries(found.data ?? {}).flatMap(([file, kinds]) =>
    Object.values(kinds).flatMap((entries) =>
      entries.map((entry) => `${file}:${/^ *> *(\d+):/m.exec(entry.content_around_reference)?.[1]}`),
    ),
  );
  return { lines: lines.sort(), sources, gaps };
}

const isScip = (source: string) => source.startsWith('SCIP ');

describe('an exported index', () => {
  test.each(['python', 'typescript', 'go'])(
    'answers without a language server as the server of %s does',
    async (language) => {
      await using project = copyFixture(language);
      const env = ownHome();
      const output = project.path('index.scip');
      const { code } = await runProgram(['scip', 'export', project.root, '--output', output], { env, timeoutMs });
      expect(code).toBe(0);
      const symbols = readIndex(output).documents.flatMap(({ relativePath, symbols }) =>
        symbols.flatMap(({ symbol }) => (symbol.startsWith('local ') ? [] : [`${relativePath}#${namePathIn(symbol)}`])),
      );
      await using client = await startClient({ env, args: ['--project', project.root] });
      const alone = withoutServers();
      for (const symbol of symbols.filter((_, index) => index % 3 === 0)) {
        const [file = '', name = ''] = symbol.split('#');
        const live = (await explainedReferences(client, name, file))
          .flatMap((line) => (line.startsWith('own ') ? [line.split(' ')[1] ?? ''] : []))
          .sort();
        const { lines, sources, gaps } = await references(project, symbol, alone);
        expect({ symbol, lines, gaps }).toEqual({ symbol, lines: live, gaps: [] });
        expect(sources.filter(isScip)).toEqual([expect.stringMatching(/^SCIP serena \d/)]);
      }
    },
    timeoutMs,
  );

  test(
    'does not count for a file that has changed',
    async () => {
      await using project = copyFixture('python');
      const run = await runProgram(['scip', 'export', '--output', 'index.scip'], {
        ...{ cwd: project.root, env: ownHome(), timeoutMs },
      });
      expect(run.code).toBe(0);
      const alone = withoutServers();
      const symbol = 'shop/helper.py#Basket/total';
      project.write('shop/receipt.py', `${project.read('shop/receipt.py')}\n\ndef total():\n    return 1\n`);
      const { lines, gaps } = await references(project, symbol, alone);
      expect(lines).toEqual(['shop/checkout.py:5']);
      // Not the definition of another `total`.
      expect(JSON.stringify(gaps)).toContain('"the file has changed since the index was made"');
      expect(gaps).toMatchObject([{ places: [{ file: 'shop/receipt.py', line: 8 }] }]);
      // The file of the symbol itself: nothing is known of it.
      project.write('shop/helper.py', `${project.read('shop/helper.py')}\n`);
      expect((await references(project, symbol, alone)).sources.filter(isScip)).toEqual([]);
    },
    timeoutMs,
  );
});

const [aText, bText] = ['def cost():\n    return 1\n', 'from a import cost\n\nname = "é", cost()\ncost()\n'];
const definition = { range: [0, 4, 8], symbol: 'x . . . a/cost().', symbolRoles: 1 };

function indexBytes(documents: MessageInitShape<typeof IndexSchema>['documents']): Uint8Array {
  const metadata = { toolInfo: { name: 'other', version: '3\n' } };
  return toBinary(IndexSchema, create(IndexSchema, { metadata, ...(documents && { documents }) }));
}

const foreign = indexBytes([
  { relativePath: 'a.py', occurrences: [definition] },
  {
    relativePath: 'b.py',
    positionEncoding: PositionEncoding.UTF8CodeUnitOffsetFromLineStart,
    occurrences: [
      { range: [0, 14, 18], symbol: definition.symbol },
      // `é` has two bytes.
      { range: [2, 13, 17], symbol: definition.symbol },
    ],
  },
]);

describe('the index of another program', () => {
  test('counts for the files of its commit', async () => {
    await using project = makeWorkspace({ 'a.py': aText, 'b.py': bText });
    project.initGit();
    const env = withoutServers();
    project.write('index.scip', foreign);
    const unused = await references(project, 'a.py#cost', env);
    expect(unused.sources.filter(isScip)).toEqual([]);
    expect(JSON.stringify(unused.gaps)).toContain('serena scip import index.scip --commit <commit>');
    const refused = await runProgram(['scip', 'import', 'index.scip'], { cwd: project.root, env });
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('does not say which content of the files it is about');
    expect(refused.stderr).toContain('serena scip import index.scip --commit HEAD');
    const imported = await runProgram(['scip', 'import', 'index.scip', '--commit', 'HEAD'], { cwd: project.root, env });
    expect(imported.stdout).toBe('Imported 2 files with 3 occurrences from other 3\\u000a; 2 unchanged since\n');
    const { lines, sources, gaps } = await references(project, 'a.py#cost', env);
    expect(lines).toEqual(['b.py:0', 'b.py:2']);
    expect(sources.filter(isScip)).toEqual(['SCIP other 3\\u000a']);
    // The index lacks the last line.
    expect(gaps).toMatchObject([{ places: [{ file: 'b.py', line: 3, why: 'the index has no symbol there' }] }]);
  });

  test('counts for files whose text it has', async () => {
    await using project = makeWorkspace({ 'a.py': aText, 'b.py': 'from a import cost\n' });
    const occurrences = [{ range: [0, 14, 18], symbol: definition.symbol }];
    project.write(
      '.serena/scip/all.scip',
      indexBytes([
        { relativePath: 'a.py', text: aText, occurrences: [definition] },
        { relativePath: 'b.py', text: 'from a import cost\n', occurrences },
      ]),
    );
    const { lines } = await references(project, 'a.py#cost', withoutServers());
    expect(lines).toEqual(['b.py:0']);
  });
});

/** Bytes of a field with a length, and no content. */
const headOnly = (length: number[]) => new Uint8Array([0x12, ...length]);

const broken: Readonly<Record<string, readonly [bytes: Uint8Array, reason: string]>> = {
  empty: [new Uint8Array(0), 'it is empty'],
  truncated: [foreign.subarray(0, foreign.length - 3), 'it ends in the middle of a part'],
  JSON: [new TextEncoder().encode('{"documents": []}'), 'not a usable SCIP index'],
  'without occurrences': [indexBytes([]), 'no occurrence of a symbol'],
  'of an endless part': [
    headOnly([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]),
    'it ends in the middle of a part',
  ],
  'with a group': [new Uint8Array([0x13, 0x14]), 'it has a group'],
};

describe('an index that cannot be used', () => {
  test.each(Object.keys(broken))('is refused: %s', async (name) => {
    const [bytes, reason] = broken[name] ?? [new Uint8Array(0), ''];
    await using project = makeWorkspace({ 'a.py': aText });
    project.write('index.scip', bytes);
    const env = withoutServers();
    const { code, stdout, stderr } = await runProgram(['scip', 'import', 'index.scip'], { cwd: project.root, env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(reason);
    expect(stderr).toContain('hint: ');
    // The same file in the project: the answer is that of syntax trees, and names the file.
    const found = await references(project, 'a.py#cost', env);
    expect(found.sources.filter(isScip)).toEqual([]);
    expect(JSON.stringify(found.gaps)).toContain('`index.scip` is not used');
  });

  test('of 10 GB is refused at once, whether it is empty or says that it has one part', async () => {
    await using project = makeWorkspace({ 'a.py': aText });
    const path = join(makeTempDir(), 'large.scip');
    // A document of 9 GB, which the file is long enough for.
    for (const [head, reason] of [
      [new Uint8Array(0), 'not a usable SCIP index'],
      [headOnly([0x80, 0x80, 0x80, 0xc0, 0x21]), 'a part of it has more than'],
    ] as const) {
      writeFileSync(path, head);
      truncateSync(path, 10 * 1024 ** 3);
      const startedAtMs = performance.now();
      const { code, stderr } = await runProgram(['scip', 'import', path], { cwd: project.root, env: withoutServers() });
      expect(code).toBe(1);
      expect(stderr).toContain(reason);
      expect(performance.now() - startedAtMs).toBeLessThan(5_000);
    }
  });

  test('leads to no file outside the project', async () => {
    const secret = join(makeTempDir(), 'secret.py');
    writeFileSync(secret, bText);
    await using project = makeWorkspace({ 'a.py': aText });
    symlinkSync(secret, project.path('link.py'));
    const occurrences = [{ range: [0, 14, 18], symbol: definition.symbol }];
    const outside = ['../secret.py', secret, 'x/../../secret.py', 'C:\\secret.py', ''];
    const documents = [...outside, 'link.py'].map((relativePath) => ({ relativePath, text: bText, occurrences }));
    const own = { relativePath: 'a.py', text: aText, occurrences: [definition] };
    project.write('index.scip', indexBytes([own, ...documents]));
    const env = withoutServers();
    const { code, stdout } = await runProgram(['scip', 'import', 'index.scip'], { cwd: project.root, env });
    expect(code).toBe(0);
    expect(stdout).toContain('Imported 2 files');
    expect(stdout).toContain('; 1 unchanged since');
    expect(stdout).toContain('Left out 5 files outside the project, such as ../secret.py');
    const { lines } = await references(project, 'a.py#cost', env);
    expect(lines).toEqual([]);
  });

  test('may have names of any length', async () => {
    await using project = makeWorkspace({ 'a.py': aText, 'b.py': 'from a import cost\n' });
    const long = `x . . . ${'y'.repeat(20_000_000)}.`;
    const occurrences = [
      { range: [0, 14, 18], symbol: definition.symbol },
      { range: [0, 5, 6], symbol: long },
      { range: [0, -1, 6], symbol: definition.symbol },
      { range: [9, 9, 12], symbol: definition.symbol },
      { range: [0], symbol: definition.symbol },
    ];
    project.write(
      'index.scip',
      indexBytes([
        { relativePath: 'a.py', text: aText, occurrences: [definition] },
        { relativePath: 'b.py', text: 'from a import cost\n', occurrences, symbols: [{ symbol: long }] },
      ]),
    );
    const env = withoutServers();
    const { code, stdout } = await runProgram(['scip', 'import', 'index.scip'], { cwd: project.root, env });
    expect({ code, stdout: stdout.split(' from ')[0] }).toEqual({
      code: 0,
      stdout: 'Imported 2 files with 3 occurrences',
    });
    expect((await references(project, 'a.py#cost', env)).lines).toEqual(['b.py:0']);
  });
});
