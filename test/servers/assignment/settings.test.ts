import { describe, expect, test } from 'bun:test';
import { python } from '../../../src/languages/python/servers.ts';
import { catalog, servers } from '../../../src/languages/servers.ts';
import { fingerprintOf, parseServerSettings } from '../../../src/servers/assignment/settings.ts';
import { serverIdentity } from '../../../src/servers/runtime/identity.ts';
import { claimedExtension } from '../../../src/servers/spec.ts';
import { makeWorkspace } from '../../support/workspace.ts';
import { Opened } from '../opened.ts';

/** Returns the id of the server that each file of a project belongs to, where the project names these servers. */
async function claims(
  files: Readonly<Record<string, string>>,
  named: readonly string[] | undefined,
): Promise<(string | undefined)[]> {
  const config = named === undefined ? {} : { '.serena/project.yml': `language_servers: [${named.join(', ')}]\n` };
  await using opened = await Opened.open(makeWorkspace({ ...files, ...config }));
  return Object.keys(files).map((file) => opened.files.sources.serverOf(file)?.spec.id);
}

describe('parseServerSettings()', () => {
  test('leaves out entries of the wrong type and keeps the others', () => {
    const parsed = parseServerSettings({ ls_path: 5, ls_args: ['-x'], jdtls_xmx: '1G' });
    expect(parsed).toEqual({ ls_args: ['-x'], jdtls_xmx: '1G' });
    expect(parseServerSettings('no map')).toEqual({});
  });
});

describe('fingerprintOf()', () => {
  test('differs with every value but not with the order of keys', () => {
    expect(fingerprintOf({ a: 1, b: [2, null] })).toBe(fingerprintOf({ b: [2, null], a: 1 }));
    expect(fingerprintOf({ a: 1 })).not.toBe(fingerprintOf({ a: '1' }));
    expect(fingerprintOf([1, 2])).not.toBe(fingerprintOf([2, 1]));
  });
});

describe('servers', () => {
  test('have ids of their own', () => {
    expect(new Set(servers.map(({ id }) => id)).size).toBe(servers.length);
  });

  test('share extensions; the first of them gets the files', async () => {
    const files = { 'a.py': '', 'b.ts': '', 'c.vue': '', 'd.yaml': '', 'e.html': '', 'f.rs': '' };
    expect(await claims(files, undefined)).toEqual(['python', 'typescript', 'vue', undefined, undefined, 'rust']);
    const named = ['ansible', 'yaml', 'vue', 'typescript', 'python_ty'];
    expect(await claims(files, named)).toEqual(['python_ty', 'vue', 'vue', 'ansible', undefined, undefined]);
  });

  test('are used without being named only if they are for program code and the default choice', () => {
    const usual = servers.filter(({ needsExplicitChoice }) => needsExplicitChoice !== true);
    const ids = usual.map(({ id }) => id);
    for (const id of ['python', 'typescript', 'go', 'bash', 'php', 'vue', 'svelte', 'rust', 'solidity'])
      expect(ids).toContain(id);
    for (const id of ['yaml', 'json', 'toml', 'html', 'scss', 'angular', 'ansible', 'typescript_native'])
      expect(ids).not.toContain(id);
    expect(ids.filter((id) => id.includes('_'))).toEqual([]);
  });

  test('are found by older ids and in any case', () => {
    expect(catalog.find('JavaScript')?.id).toBe('typescript');
    expect(catalog.find('nothing')).toBeUndefined();
  });

  test('have an identity that changes with the settings', () => {
    const own = serverIdentity(python, { ls_path: '/opt/pyright' }, {});
    expect(serverIdentity(python, {}, {})).not.toBe(own);
    expect(serverIdentity(python, { ls_path: '/opt/pyright' }, {})).toBe(own);
  });

  test('claim the longest extension that matches', () => {
    const both = { ...python, files: { '.php': 'php', '.blade.php': 'blade' } };
    expect(claimedExtension(both, 'a/b.blade.php')).toBe('.blade.php');
    expect(claimedExtension(both, 'a/b.txt')).toBeUndefined();
  });
});
