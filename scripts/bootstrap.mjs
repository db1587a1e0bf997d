#!/usr/bin/env node
// usage: node scripts/bootstrap.mjs scripts/<name>.ts [args…]
// Installs the packages of the lock file if necessary, and runs a script with the installed Bun.
// Plain JavaScript without dependencies: it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
// The executable has about 100 MB; the placeholder that npm leaves when it blocks install scripts has a few hundred bytes.
const minBunBytes = 1_000_000;

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** True if all packages are installed. npm writes `node_modules/.package-lock.json` last, after a complete installation. */
function isInstalled() {
  const locked = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(modules, '.package-lock.json'));
  if (locked === undefined || installed === undefined) return false;
  for (const [path, { version, integrity, optional }] of Object.entries(locked)) {
    if (path === '') continue;
    const present = installed[path];
    if (present === undefined && optional) continue;
    if (present?.version !== version || present?.integrity !== integrity) return false;
  }
  return Object.keys(installed).every((path) => path in locked);
}

function install() {
  process.stderr.write('Installing the packages of package-lock.json (npm ci); this happens once …\n');
  const startedAt = Date.now();
  // Some packages require a newer Node, but run on Bun.
  const common = ['--no-audit', '--no-fund', '--engine-strict=false', '--loglevel=error'];
  // Packages with grammars would load or even compile native modules: only the grammars are used.
  runNpm(['ci', '--include=dev', '--include=optional', '--ignore-scripts', ...common]);
  runNpm(['rebuild', 'bun', 'deno', ...common]);
  process.stderr.write(`Installed in ${((Date.now() - startedAt) / 1000).toFixed(0)} s.\n`);
}

function runNpm(args) {
  // Set by `npm run`; otherwise npm is looked up on PATH.
  const npm = process.env.npm_execpath;
  const options = { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] };
  const done = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (done.status !== 0) {
    const reason = done.error?.message ?? (done.signal ? `signal ${done.signal}` : `exit code ${done.status}`);
    process.stderr.write(`error: cannot install the packages: \`npm ${args[0]}\` exited with ${reason}\n\n`);
    process.stderr.write(
      'hint: see the output above; configure a proxy, a private registry or a token in npm’s own settings\n',
    );
    process.exit(1);
  }
}

function platformPackage() {
  const os = { win32: 'windows' }[process.platform] ?? process.platform;
  const cpu = { arm64: 'aarch64' }[process.arch] ?? process.arch;
  const isMusl = process.platform === 'linux' && process.report?.getReport().header.glibcVersionRuntime === undefined;
  return `bun-${os}-${cpu}${isMusl ? '-musl' : ''}`;
}

/** Bun's install script moves the executable from the platform's package to `bun`, unless npm blocked the script. */
function findBun() {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const candidates = [
    join(modules, '@oven', platformPackage(), 'bin', `bun${suffix}`),
    join(modules, 'bun/bin/bun.exe'),
  ];
  const installed = candidates.find((path) => existsSync(path) && statSync(path).size > minBunBytes);
  if (installed === undefined) {
    process.stderr.write(
      `error: cannot find Bun for this platform: looked for ${candidates.map((p) => `\`${p}\``).join(', ')}\n\n`,
    );
    process.stderr.write(
      `hint: check that your npm registry offers \`@oven/${platformPackage()}\`, then run \`npm ci\`\n`,
    );
    process.exit(1);
  }
  try {
    accessSync(installed, constants.X_OK);
  } catch {
    chmodSync(installed, 0o755);
  }
  return installed;
}

function run(bun, args) {
  const child = spawn(bun, ['--no-install', ...args], { stdio: 'inherit', env: { ...process.env, DO_NOT_TRACK: '1' } });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`error: cannot start \`${bun}\`: ${error.message}\n`);
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
