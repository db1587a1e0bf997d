#!/usr/bin/env node
// Starts the program for this platform, which npm has installed as a separate package. Plain JavaScript without
// dependencies, for any version of Node.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import process from 'node:process';

const require = createRequire(import.meta.url);
const { name, version, optionalDependencies } = require('./package.json');

function platform() {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  // Windows on ARM runs programs for x64.
  const cpu = os === 'windows' && process.arch === 'arm64' ? 'x64' : process.arch;
  const header = os === 'linux' ? process.report?.getReport().header : undefined;
  const isMusl = header !== undefined && header.glibcVersionRuntime === undefined;
  return `${os}-${cpu}${isMusl ? '-musl' : ''}`;
}

function versionOf(packageName) {
  try {
    return require(`${packageName}/package.json`).version;
  } catch {
    return undefined;
  }
}

function fail(message, ...hints) {
  process.stderr.write(`error: ${message}\n\n${hints.map((hint) => `hint: ${hint}\n`).join('')}`);
  process.exit(1);
}

function findProgram() {
  const packageOfPlatform = `@${name}/${platform()}`;
  const packages = Object.keys(optionalDependencies);
  if (!packages.includes(packageOfPlatform)) {
    const known = packages.map((one) => one.slice(one.indexOf('/') + 1));
    fail(`unsupported platform: ${platform()}`, `supported platforms: ${known.join(', ')}`);
  }
  const found = versionOf(packageOfPlatform);
  if (found === version)
    return require.resolve(`${packageOfPlatform}/bin/serena${process.platform === 'win32' ? '.exe' : ''}`);
  const others = packages.filter((one) => versionOf(one) !== undefined);
  const also = others.length > 0 && found === undefined ? `, but ${others.join(', ')} is` : '';
  const what = found === undefined ? `is not installed${also}` : `has version ${found} instead of ${version}`;
  return fail(
    `the program for this platform is missing: \`${packageOfPlatform}\` ${what}`,
    'install without `--omit=optional` (`--no-optional`): npm installs only the program for your platform',
    'install on this machine: a `node_modules` directory or a lock file from another machine may lack it',
    `or install the package directly: npm install ${packageOfPlatform}@${version}`,
  );
}

const child = spawn(findProgram(), process.argv.slice(2), { stdio: 'inherit', windowsHide: true });
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on('error', (error) => fail(`cannot start \`${child.spawnfile}\`: ${error.message}`));
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  for (const one of signals) process.removeAllListeners(one);
  process.kill(process.pid, signal);
});
