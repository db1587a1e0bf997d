import { basename, delimiter, isAbsolute, join } from 'node:path';
import { relativeWithin } from '../../base/paths.ts';
import type { DependencyProvider, DependentProject, MissingDependencies } from './dependency-provider.ts';
import { isPlainDirectory, namedPackages, namesIn, realDirectory, textIn } from './directories.ts';

/**
 * The modules that `go.mod` requires, in Go's module cache, under their names there: `<go>/github.com/a/b@v1.0.0/c.go`.
 * Since Go 1.17 `go.mod` lists the indirect ones as well, in the selected versions.
 */
export const goModules: DependencyProvider = {
  name: 'go',
  title: 'Go modules',
  extensions: ['.go'],
  skippedDirectories: ['testdata'],
  find(project) {
    const goMod = textIn(project.root, 'go.mod');
    const { modules, directories } = requirements(goMod);
    const cache = moduleCache(project.env);
    const roots = cache === undefined ? [] : [{ directory: cache, packages: modules.map(({ name }) => name) }];
    return {
      roots,
      missing: () => {
        // The cache has no modules that `go.mod` lists only because others mention them.
        const direct = modules.filter(({ isIndirect }) => !isIndirect).map(({ name }) => name);
        const notCached = direct.filter((name) => cache === undefined || !isPlainDirectory(join(cache, name)));
        const outside = directories.filter((path) => relativeWithin(project.root, path) === undefined);
        return [
          ...(goMod === '' ? [noGoMod] : []),
          ...reasonFor(notCached, 'the module cache does not contain', 'Run `go mod download`'),
          ...reasonFor(
            outside,
            '`go.mod` names directories outside the project:',
            'Open these directories as projects',
          ),
          ...(namesIn(project.root).includes('go.work') ? [hasWorkspace] : []),
        ];
      },
    };
  },
};

const noGoMod = { reason: 'the project root has no `go.mod`', next: 'Open the directory of the module as a project' };
const hasWorkspace = {
  reason: 'only `go.mod` in the root is read, not those of the modules in `go.work`',
  next: 'Open a module as a project to search what it requires',
};

function reasonFor(names: readonly string[], reason: string, next: string): MissingDependencies[] {
  return names.length === 0 ? [] : [{ reason: `${reason} ${namedPackages(names)}`, next }];
}

/** Returns the module cache that the environment or `go env -w` names, or the default one. */
function moduleCache(env: DependentProject['env']): string | undefined {
  const written = writtenSettings(env);
  const setting = (name: string) => env[name] || written.get(name);
  const workspace = setting('GOPATH')?.split(delimiter)[0] || (env.HOME === undefined ? '' : join(env.HOME, 'go'));
  const cache = setting('GOMODCACHE') || (workspace === '' ? '' : join(workspace, 'pkg', 'mod'));
  return isAbsolute(cache) ? realDirectory(cache) : undefined;
}

function writtenSettings({ GOENV, XDG_CONFIG_HOME, HOME }: DependentProject['env']): ReadonlyMap<string, string> {
  const usual = process.platform === 'darwin' ? ['Library', 'Application Support'] : ['.config'];
  const home = XDG_CONFIG_HOME || (HOME === undefined ? '' : join(HOME, ...usual));
  const path = GOENV || join(home, 'go', 'env');
  const directory = isAbsolute(path) ? realDirectory(join(path, '..')) : undefined;
  const lines = directory === undefined ? [] : textIn(directory, basename(path)).split('\n');
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).trim()]));
}

/** A module that `go.mod` requires. */
interface Module {
  /** Name of its directory in the cache. */
  readonly name: string;
  readonly isIndirect: boolean;
}

/** A module path or version: no part of it is `.` or `..`. */
const modulePath = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.~-]+(?:\/[\w.~-]+)*$/;
const moduleVersion = /^v[\w.+-]+$/;

function requirements(goMod: string): { modules: Module[]; directories: string[] } {
  const required = new Map<string, boolean>();
  const replacements = new Map<string, string>();
  const directories: string[] = [];
  for (const { verb, words, isIndirect } of statements(goMod)) {
    if (verb === 'require') required.set(words.slice(0, 2).join('@'), isIndirect);
    const arrow = words.indexOf('=>');
    if (verb !== 'replace' || arrow < 1) continue;
    const [path = '', version] = words.slice(arrow + 1);
    // A replacement without a version is a directory.
    if (version === undefined) directories.push(path);
    replacements.set(words.slice(0, arrow).join('@'), version === undefined ? '' : `${path}@${version}`);
  }
  const modules = [...required].flatMap(([module, isIndirect]) => {
    const [path = ''] = module.split('@');
    const selected = replacements.get(module) ?? replacements.get(path) ?? module;
    const [selectedPath = '', version = ''] = selected.split('@');
    if (!modulePath.test(selectedPath) || !moduleVersion.test(version)) return [];
    return [{ name: inCache(selected), isIndirect }];
  });
  return { modules, directories };
}

/** Returns the statements of a `go.mod`, those in parentheses with the verb before them. */
function statements(goMod: string): { verb: string; words: string[]; isIndirect: boolean }[] {
  let block = '';
  return goMod.split('\n').flatMap((line) => {
    const isIndirect = /\/\/\s*indirect\b/.test(line);
    const words = line
      .replace(/\/\/.*/, '')
      .trim()
      .split(/\s+/);
    if (words[1] === '(') block = words[0] ?? '';
    else if (words[0] === ')') block = '';
    else if (block !== '') return [{ verb: block, words, isIndirect }];
    else return [{ verb: words[0] ?? '', words: words.slice(1), isIndirect }];
    return [];
  });
}

/** The cache writes uppercase letters as `!` and the lowercase letter. */
function inCache(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
}
