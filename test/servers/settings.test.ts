import { describe, expect, test } from 'bun:test';
import { serverIdentity } from '../../src/servers/identity.ts';
import { findServer, servers } from '../../src/servers/servers.ts';
import { fingerprintOf, parseServerSettings } from '../../src/servers/settings.ts';
import { claimedSuffix } from '../../src/servers/spec.ts';
import { python } from '../../src/servers/specs/python.ts';

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
  test('have ids and suffixes of their own', () => {
    expect(new Set(servers.map(({ id }) => id)).size).toBe(servers.length);
    const usual = servers.filter(({ needsExplicitChoice }) => needsExplicitChoice !== true);
    const suffixes = usual.flatMap(({ files }) => Object.keys(files));
    expect(new Set(suffixes).size).toBe(suffixes.length);
  });

  test('are found by older ids and in any case', () => {
    expect(findServer('JavaScript')?.id).toBe('typescript');
    expect(findServer('nothing')).toBeUndefined();
  });

  test('have an identity that changes with the settings', () => {
    const own = serverIdentity(python, { ls_path: '/opt/pyright' }, {});
    expect(serverIdentity(python, {}, {})).not.toBe(own);
    expect(serverIdentity(python, { ls_path: '/opt/pyright' }, {})).toBe(own);
  });

  test('claim the longest suffix that fits', () => {
    const both = { ...python, files: { '.php': 'php', '.blade.php': 'blade' } };
    expect(claimedSuffix(both, 'a/b.blade.php')).toBe('.blade.php');
    expect(claimedSuffix(both, 'a/b.txt')).toBeUndefined();
  });
});
