import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/support/paths.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';
import { makeSmallRelease } from './small-release.ts';

// On Windows, scripts/release/try-install.ps1 runs it, in .github/workflows/binary.yml.
const powershell = ['pwsh', 'powershell'].find((name) => Bun.which(name) !== null);
const whyNot = powershell === undefined ? whyNoProgram('pwsh') : undefined;
const parse = `
  $problems = $null
  [void][System.Management.Automation.Language.Parser]::ParseFile($args[0], [ref]$null, [ref]$problems)
  $problems | ForEach-Object { $_.Message }`;

test('the published install.ps1 contains its version, base URL and hashes, like install.sh', async () => {
  const release = await makeSmallRelease(['1.2.3'], 'https://example.invalid/serena');
  const read = (file: string) => readFileSync(join(release.directory, 'v1.2.3', file), 'utf8');
  const text = read('install.ps1');
  expect(text).toContain("\n$ReleaseVersion = '1.2.3'\n$ReleaseBase = 'https://example.invalid/serena'\n");
  const sums = /\n\$ReleaseSums = '([^']+)'\n/.exec(text)?.[1];
  expect(sums?.split('\n').length).toBeGreaterThan(1);
  const ofArchives = read('SHA256SUMS')
    .split('\n')
    .filter((line) => /\.(?:tar\.[gx]z|zip)$/.test(line));
  expect(sums?.split('\n')).toEqual(ofArchives);
  expect(read('install.sh')).toContain(`\nrelease_sums='${sums}'\n`);
  // Nothing else has changed.
  const blank = text.replace(/'1\.2\.3'|'https:\/\/example\.invalid\/serena'/g, "''").replace(`'${sums}'`, "''");
  expect(blank).toBe(readFileSync(join(root, 'scripts/install.ps1'), 'utf8'));
});

testUnless(whyNot)('PowerShell can read install.ps1', () => {
  const args = ['-NoProfile', '-Command', `& { ${parse} } '${join(root, 'scripts/install.ps1')}'`];
  const { status, stdout } = spawnSync(powershell ?? '', args, { encoding: 'utf8' });
  expect({ status, stdout: stdout.trim() }).toEqual({ status: 0, stdout: '' });
});
