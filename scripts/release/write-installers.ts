import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSource } from '../support/tracked-files.ts';
import type { Artifact } from './artifact.ts';
import type { Release } from './release.ts';
import { sumsOf } from './write-index.ts';

/**
 * Writes the installers with the version, the base URL and the hash of every archive. Returns their names.
 *
 * @throws {Error} if an installer lacks a placeholder for one of these.
 */
export function writeInstallers(release: Release, artifacts: readonly Artifact[]): string[] {
  const archives = artifacts.filter(({ kind }) => kind === 'program').map(({ file }) => file);
  const known = {
    version: release.facts.version,
    base: release.base,
    sums: sumsOf(release.published, archives).trimEnd(),
  };
  const shell = (name: string) => `\nrelease_${name}=''\n`;
  const powershell = (name: string) => `\n$Release${name.charAt(0).toUpperCase()}${name.slice(1)} = ''\n`;
  for (const [file, blank] of [['install.sh', shell] as const, ['install.ps1', powershell] as const]) {
    let text = readSource(`scripts/${file}`);
    for (const [name, value] of Object.entries(known)) {
      if (value.includes("'")) throw new Error(`A quote is not allowed in an installer: ${value}`);
      const [before, after, ...more] = text.split(blank(name));
      if (before === undefined || after === undefined || more.length > 0) {
        throw new Error(`scripts/${file} lacks a line \`${blank(name).trim()}\``);
      }
      text = `${before}${blank(name).replace("''", () => `'${value}'`)}${after}`;
    }
    writeFileSync(join(release.published, file), text, { mode: file.endsWith('.sh') ? 0o755 : 0o644 });
  }
  return ['install.ps1', 'install.sh'];
}
