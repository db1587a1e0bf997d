// Extensions count without regard to case, as in editors: `UPPER.PY` is Python.
import { describe, expect, test } from 'bun:test';
import { extensionIn } from '../../src/base/paths.ts';
import { catalog, servers } from '../../src/languages/servers.ts';
import { detectServers, SourceFiles } from '../../src/servers/assignment/source-files.ts';
import { languageIdOf } from '../../src/servers/spec.ts';
import { startClient } from '../support/client.ts';
import { makeWorkspace } from '../support/workspace.ts';

const usual = servers.filter(({ needsExplicitChoice }) => needsExplicitChoice !== true);
const sources = new SourceFiles(
  usual.map((spec) => ({ spec, settings: {} })),
  catalog,
);
const installTimeoutMs = 240_000;

describe('extensionIn()', () => {
  test.each([
    ['a.py', ['.py', '.pyi'], '.py'],
    ['A.PY', ['.py', '.pyi'], '.py'],
    ['a.D.TS', ['.ts', '.d.ts'], '.d.ts'],
    ['a.C', ['.c', '.C'], '.C'],
    ['a.c', ['.c', '.C'], '.c'],
    ['a.r', ['.R'], '.R'],
    ['a.pyc', ['.py'], undefined],
  ])('of %s among %j is %s', (path, extensions, expected) => {
    expect(extensionIn(path, extensions)).toBe(expected);
  });
});

describe('a file with its extension in another case', () => {
  test.each([
    ['UPPER.PY', 'python', 'python'],
    ['src/Main.JAVA', 'java', 'java'],
    ['a.Rs', 'rust', 'rust'],
    ['OLD.C', 'cpp', 'cpp'],
    ['old.c', 'cpp', 'c'],
    ['HEADER.H', 'cpp', 'c'],
  ])('%s belongs to the server %s as %s', (path, id, language) => {
    const server = sources.serverOf(path);
    expect(server?.spec.id).toBe(id);
    expect(server && languageIdOf(server.spec, path)).toBe(language);
  });

  test('counts for the main language of a project', () => {
    const shares = detectServers(sources, { '.PY': 2, '.py': 1, '.go': 2, '.unknown': 9 });
    expect(shares.map(({ server, fileCount }) => [server.spec.id, fileCount])).toEqual([
      ['python', 3],
      ['go', 2],
    ]);
  });

  test(
    'is read, found and renamed by its language server',
    async () => {
      const workspace = makeWorkspace({
        'UPPER.PY': 'class Basket:\n    def total(self):\n        return 1\n\n\nprint(Basket().total())\n',
        'plain.py': 'x = 1\n',
      });
      await using client = await startClient({ args: ['--project', workspace.root] });
      expect(await client.ask('get_symbols_overview', { relative_path: 'UPPER.PY', depth: 1 })).toContain('total');
      expect(await client.ask('find_symbol', { name_path_pattern: 'Basket/total' })).toContain('UPPER.PY');
      const of = { name_path: 'Basket/total', relative_path: 'UPPER.PY' };
      expect(await client.ask('find_referencing_symbols', of)).toContain('UPPER.PY');
      await client.ask('rename_symbol', { ...of, new_name: 'sum' });
      expect(workspace.read('UPPER.PY')).toContain('print(Basket().sum())');
    },
    installTimeoutMs,
  );
});
