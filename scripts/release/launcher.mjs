#!/usr/bin/env node
// Starts the program that npm has installed for this machine, in a package of its own. Plain JavaScript without
// dependencies: it runs with whatever Node there is.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import process from 'node:process';

const require = createRequire(import.meta.url);
const { name, version, optionalDependencies } = require('./package.json');

function machine() {
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
  const wanted = `@${name}/${machine()}`;
  const packages = Object.keys(optionalDependencies);
  if (!packages.includes(wanted)) {
    const known = packages.map((one) => one.slice(one.indexOf('/') + 1));
    fail(`There is no program for this machine: ${machine()}`, `There are programs for ${known.join(', ')}`);
  }
  const found = versionOf(wanted);
  if (found === version) return require.resolve(`${wanted}/bin/serena${process.platform === 'win32' ? '.exe' : ''}`);
  const others = packages.filter((one) => versionOf(one) !== undefined);
  const also = others.length > 0 && found === undefined ? `; installed is ${others.join(', ')}` : '';
  const what = found === undefined ? `is not installed${also}` : `is version ${found} and not ${version}`;
  return fail(
    `The program for this machine is missing: \`${wanted}\` ${what}`,
    'Install without `--omit=optional` (`--no-optional`): npm takes the program for your machine only',
    'Install on this machine: a `node_modules` directory or a lock file of another machine may lack it',
    `Or add it by name: npm install ${wanted}@${version}`,
  );
}

const child = spawn(findProgram(), process.argv.slice(2), { stdio: 'inherit', windowsHide: true });
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on('error', (error) => fail(`Cannot start \`${child.spawnfile}\`: ${error.message}`));
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  for (const one of signals) process.removeAllListeners(one);
  process.kill(process.pid, signal);
});
