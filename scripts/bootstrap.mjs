#!/usr/bin/env node
// usage: node scripts/bootstrap.mjs scripts/<name>.ts [args…]
// Installs what the lock file names, if that has not happened, and runs a script with the Bun that came with it.
// Plain JavaScript without dependencies: it is the one file that has to run before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
// The executable is about 100 MB; what npm leaves in its place when it blocks install scripts is a few hundred bytes.
const leastBunBytes = 1_000_000;

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** npm writes `node_modules/.package-lock.json` last, so an interrupted installation counts as none. */
function isInstalled() {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const found = readPackages(join(modules, '.package-lock.json'));
  if (wanted === undefined || found === undefined) return false;
  for (const [path, { version, integrity, optional }] of Object.entries(wanted)) {
    if (path === '') continue;
    const present = found[path];
    if (present === undefined && optional) continue;
    if (present?.version !== version || present?.integrity !== integrity) return false;
  }
  return Object.keys(found).every((path) => path in wanted);
}

function install() {
  process.stderr.write('Installing the packages that package-lock.json names (npm ci); this happens once …\n');
  const startedAt = Date.now();
  // `npm run` says where its own program is; called without npm we take the one on PATH.
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional'];
  // Some packages ask for a newer Node than they are run with: Bun runs them.
  args.push('--engine-strict=false', '--loglevel=error');
  const options = { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] };
  const done = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (done.status !== 0) {
    const reason = done.error?.message ?? (done.signal ? `signal ${done.signal}` : `exit code ${done.status}`);
    process.stderr.write(`error: Cannot install the packages: \`npm ci\` ended with ${reason}\n\n`);
    process.stderr.write(
      'hint: Read the lines above; a proxy, a private registry or a token belongs into npm’s own settings\n',
    );
    process.exit(1);
  }
  process.stderr.write(`Installed in ${((Date.now() - startedAt) / 1000).toFixed(0)} s.\n`);
}

function platformPackage() {
  const os = { win32: 'windows' }[process.platform] ?? process.platform;
  const cpu = { arm64: 'aarch64' }[process.arch] ?? process.arch;
  const isMusl = process.platform === 'linux' && process.report?.getReport().header.glibcVersionRuntime === undefined;
  return `bun-${os}-${cpu}${isMusl ? '-musl' : ''}`;
}

/** Bun's install script moves the executable from the platform's package into `bun`; npm may not have let it run. */
function findBun() {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const places = [join(modules, '@oven', platformPackage(), 'bin', `bun${suffix}`), join(modules, 'bun/bin/bun.exe')];
  const found = places.find((path) => existsSync(path) && statSync(path).size > leastBunBytes);
  if (found === undefined) {
    process.stderr.write(
      `error: Cannot find Bun for this machine: looked for ${places.map((p) => `\`${p}\``).join(', ')}\n\n`,
    );
    process.stderr.write(
      `hint: Check that your npm registry offers \`@oven/${platformPackage()}\`, then run \`npm ci\`\n`,
    );
    process.exit(1);
  }
  try {
    accessSync(found, constants.X_OK);
  } catch {
    chmodSync(found, 0o755);
  }
  return found;
}

function run(bun, args) {
  const child = spawn(bun, ['--no-install', ...args], { stdio: 'inherit', env: { ...process.env, DO_NOT_TRACK: '1' } });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`error: Cannot start \`${bun}\`: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

const [script, ...rest] = process.argv.slice(2);
if (script === undefined) {
  process.stderr.write('usage: node scripts/bootstrap.mjs scripts/<name>.ts [args…]\n');
  process.exit(2);
}
if (!isInstalled()) install();
run(findBun(), [join(root, script), ...rest]);
