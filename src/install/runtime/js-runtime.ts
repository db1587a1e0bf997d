import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import heapStatistics from '../../../resources/shims/heap-statistics.cjs.txt' with { type: 'text' };
import ownCode from '../../../resources/shims/own-code.cjs.txt' with { type: 'text' };
import ownPlugins from '../../../resources/shims/own-plugins.cjs.txt' with { type: 'text' };
import { replaceAtomically } from '../../base/files.ts';
import { homeUnusable } from '../../base/home.ts';
import { toPosix } from '../../base/paths.ts';
import { serverChildMark } from '../../base/process/server-child.ts';
import { directoriesBelow, serverDirectories, storeDirectories } from '../store/layout.ts';

/** A script of `resources/shims` that works around something in a server. */
export type Preload = 'heap-statistics' | 'own-plugins';

const preloadedNames = ['heap-statistics', 'own-plugins', 'own-code'] as const;
const preloaded = { 'heap-statistics': heapStatistics, 'own-plugins': ownPlugins, 'own-code': ownCode };

/** A language server written in JavaScript, and how to run it. */
export interface JsProgram {
  /** Absolute path of SERENA_HOME. */
  readonly home: string;
  /** Absolute path of the entry script. */
  readonly script: string;
  readonly args: readonly string[];
  /** Absolute path of the installation, if this program made it. The server then cannot load code from elsewhere. */
  readonly directory?: string | undefined;
  /** A workaround that the server needs, from `resources/shims`. */
  readonly preload?: Preload | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A command to spawn. `env` is complete; do not add the environment of this process. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Returns the default of POSIX shells for an unset `PATH`, without which bash-language-server does not start; nothing on
 * Windows.
 */
export function defaultPath(platform = process.platform): Readonly<Record<string, string>> {
  return platform === 'win32' ? {} : { PATH: '/usr/bin:/bin' };
}

/**
 * Returns the command that runs a JavaScript server on this program's own executable, so that Node is not needed.
 * Writes the small files that this requires below SERENA_HOME, once, unless a store has them.
 *
 * The working directory is treated as hostile: its `bunfig.toml`, `.env`, `deno.json` and `package.json` have no effect
 * on the server, and a missing module is an error, not a download.
 *
 * @throws {ExpectedError} `install.home-unusable` if those files cannot be written.
 */
export function jsCommand(program: JsProgram): Command {
  return 'Deno' in globalThis ? denoCommand(program) : bunCommand(program);
}

function bunCommand({ home, script, args, directory, preload, env }: JsProgram): Command {
  const directories = serverDirectories(home);
  const files = findRuntimeFiles(env) ?? writeRuntimeFiles(home);
  const flags = [
    // A project's `bunfig.toml` could preload a script. Windows has no `/dev/null`, so this program writes an empty
    // file.
    `--config=${toPosix(files.emptyConfig)}`,
    '--no-env-file',
    '--no-install',
    // A server that hangs in a loop does not notice the end of its input. Bun then ends it and its children when this
    // process is gone.
    '--no-orphans',
    ...(preload === undefined ? [] : [`--preload=${toPosix(files[preload])}`]),
    ...(directory === undefined ? [] : [`--preload=${toPosix(files['own-code'])}`]),
  ];
  return {
    command: process.execPath,
    args: [...flags, script, ...args],
    env: {
      ...defaultPath(),
      ...cleanEnv(env),
      BUN_BE_BUN: '1',
      [serverChildMark]: '1',
      ...(directory === undefined ? {} : { SERENA_LSP_CODE: directory }),
      DO_NOT_TRACK: '1',
      // The same flags for the children that a server starts itself. Bun splits at spaces outside quotes, and accepts
      // quotes only around a whole argument.
      BUN_OPTIONS: flags.map((flag) => (flag.includes(' ') ? `"${flag}"` : flag)).join(' '),
      BUN_RUNTIME_TRANSPILER_CACHE_PATH: directories.codeCache,
    },
  };
}

function denoCommand({ script, args, env }: JsProgram): Command {
  const flags = [
    '--no-config',
    '--no-lock',
    // Packages come from the `node_modules` above the script, never from a registry.
    '--node-modules-dir=manual',
    '--no-remote',
    '--cached-only',
  ];
  return {
    command: process.execPath,
    args: ['run', '--allow-all', ...flags, script, ...args],
    env: {
      ...defaultPath(),
      ...cleanEnv(env),
      [serverChildMark]: '1',
      DO_NOT_TRACK: '1',
      DENO_NO_PACKAGE_JSON: '1',
      DENO_NO_PROMPT: '1',
      DENO_NO_UPDATE_CHECK: '1',
    },
  };
}

/**
 * Writes the additional files that JavaScript servers need below SERENA_HOME, so that a copy of `language_servers` also
 * works on a machine where SERENA_HOME is read-only.
 *
 * @throws {ExpectedError} `install.home-unusable`.
 */
export function writeRuntimeFiles(home: string): RuntimeFiles {
  const files = runtimeFiles(serverDirectories(home).root);
  try {
    if (!existsSync(files.emptyConfig)) replaceAtomically(files.emptyConfig, '');
    for (const name of preloadedNames) if (!existsSync(files[name])) replaceAtomically(files[name], preloaded[name]);
    return files;
  } catch (error) {
    throw homeUnusable(home, error);
  }
}

type RuntimeFiles = Readonly<Record<keyof typeof preloaded | 'emptyConfig', string>>;

/** Returns the paths of these files below `root`, which is `ServerDirectories.root` or a store. */
function runtimeFiles(root: string): RuntimeFiles {
  const { emptyConfig, shims } = directoriesBelow(root);
  const shim = (name: keyof typeof preloaded) => {
    const hash = createHash('sha256').update(preloaded[name]).digest('hex').slice(0, 12);
    return join(shims, `${name}-${hash}.cjs`);
  };
  return {
    emptyConfig,
    'heap-statistics': shim('heap-statistics'),
    'own-plugins': shim('own-plugins'),
    'own-code': shim('own-code'),
  };
}

function findRuntimeFiles(env: JsProgram['env']): RuntimeFiles | undefined {
  return storeDirectories(env)
    .map(runtimeFiles)
    .find((files) => Object.values(files).every((path) => existsSync(path)));
}

const leaking = /^(BUN_(?!JSC_).*|NODE_OPTIONS|SERENA_LSP_(CHILD|CODE))$/i;

/**
 * Returns `env` without the variables that change how JavaScript programs run: `BUN_*` and `NODE_OPTIONS`. Every child
 * process gets such an environment, even if it is not JavaScript: `BUN_BE_BUN` would turn any tool compiled with Bun
 * into Bun itself. `BUN_JSC_*`, with which a user tunes the engine, changes only how fast they run.
 */
export function cleanEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !leaking.test(name)) kept[name] = value;
  }
  return kept;
}
