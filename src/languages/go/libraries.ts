import { basename, delimiter, isAbsolute, join } from 'node:path';
import { relativeWithin } from '../../base/paths.ts';
import type { DependencyProvider, DependentProject } from '../../project/dependencies/dependency-provider.ts';
import {
  isPlainDirectory,
  linesIn,
  type ManifestReader,
  missingPackages,
  realDirectory,
} from '../../project/dependencies/manifest-reader.ts';

/**
 * The modules that `go.mod` requires, in Go's module cache, under their names there: `<go>/github.com/a/b@v1.0.0/c.go`.
 * Since Go 1.17 `go.mod` lists the indirect ones as well, in the selected versions. With a `go.work` these are the highest
 * versions that its modules require.
 */
export const goModules: DependencyProvider = {
  name: 'go',
  title: 'Go modules',
  extensions: ['.go'],
  skippedDirectories: ['testdata'],
  find(project, manifests) {
    const { files, isWorkspace, outside } = moduleFiles(project.root, manifests);
    const { modules, directories } = requirements(files, manifests);
    const cache = goModuleCache(project.env, manifests);
    const roots = cache === undefined ? [] : [{ directory: cache, packages: modules.map(({ name }) => name) }];
    return {
      roots,
      missing: () => {
        // The cache has no modules that `go.mod` lists only because others mention them.
        const direct = modules.filter(({ isIndirect }) => !isIndirect).map(({ name }) => name);
        const notCached = direct.filter((name) => cache === undefined || !isPlainDirectory(join(cache, name)));
        const replaced = directories.filter((path) => relativeWithin(project.root, path) === undefined);
        const inFiles = isWorkspace ? '`go.work` and its modules name' : '`go.mod` names';
        return [
          ...(files.some(({ text }) => text !== '') ? [] : [noGoMod]),
          ...missingPackages(notCached, 'the module cache does not contain', 'Run `go mod download`'),
          ...missingPackages(
            [...outside, ...replaced],
            `${inFiles} directories outside the project:`,
            'Open these directories as projects',
          ),
        ];
      },
    };
  },
};

/** A `go.mod`, or the `go.work` that combines some. */
interface ModuleFile {
  /** Relative path of its directory. */
  readonly directory: string;
  readonly text: string;
}

/** Returns the files that decide about the modules of a project; replacements in the first ones take precedence. */
function moduleFiles(
  root: string,
  manifests: ManifestReader,
): { files: ModuleFile[]; isWorkspace: boolean; outside: string[] } {
  const textOf = (path: string) => manifests.textIn(root, path);
  const goWork = textOf('go.work');
  if (goWork === '') return { files: [{ directory: '', text: textOf('go.mod') }], isWorkspace: false, outside: [] };
  const used = statementsIn(goWork, manifests).flatMap(({ verb, words: [path = ''] }) =>
    verb === 'use' ? [unquoted(path)] : [],
  );
  const outside = used.filter((path) => relativeWithin(root, path) === undefined);
  const own = used.flatMap((path) => relativeWithin(root, path) ?? []);
  const files = own.map((directory) => ({ directory, text: textOf(join(directory, 'go.mod')) }));
  return { files: [{ directory: '', text: goWork }, ...files], isWorkspace: true, outside };
}

function unquoted(path: string): string {
  return path.replace(/^(["`])(.*)\1$/, '$2');
}

const noGoMod = { reason: 'the project root has no `go.mod`', next: 'Open the directory of the module as a project' };

/** Returns the module cache that the environment or `go env -w` names, or the default one. */
export function goModuleCache(
  env: DependentProject['env'],
  manifests: ManifestReader,
  platform = process.platform,
): string | undefined {
  const written = writtenSettings(env, manifests, platform);
  const setting = (name: string) => env[name] || written.get(name);
  const workspace = setting('GOPATH')?.split(delimiter)[0] || (env.HOME === undefined ? '' : join(env.HOME, 'go'));
  const cache = setting('GOMODCACHE') || (workspace === '' ? '' : join(workspace, 'pkg', 'mod'));
  return isAbsolute(cache) ? realDirectory(cache) : undefined;
}

function writtenSettings(
  { GOENV, XDG_CONFIG_HOME, HOME }: DependentProject['env'],
  manifests: ManifestReader,
  platform: NodeJS.Platform,
): ReadonlyMap<string, string> {
  const usual = platform === 'darwin' ? ['Library', 'Application Support'] : ['.config'];
  const home = XDG_CONFIG_HOME || (HOME === undefined ? '' : join(HOME, ...usual));
  const path = GOENV || join(home, 'go', 'env');
  const directory = isAbsolute(path) ? realDirectory(join(path, '..')) : undefined;
  const lines = directory === undefined ? [] : manifests.textIn(directory, basename(path)).split('\n');
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

function requirements(
  files: readonly ModuleFile[],
  manifests: ManifestReader,
): { modules: Module[]; directories: string[] } {
  const required = new Map<string, { version: string; isIndirect: boolean }>();
  const replacements = new Map<string, string>();
  const directories: string[] = [];
  for (const { directory, text } of files) {
    for (const { verb, words, isIndirect } of statementsIn(text, manifests)) {
      const [path = '', version = ''] = words;
      if (verb === 'require') {
        const known = required.get(path);
        const isHigher = known === undefined || compareVersions(version, known.version) > 0;
        const isIndirectOnly = isIndirect && (known?.isIndirect ?? true);
        required.set(path, { version: isHigher ? version : known.version, isIndirect: isIndirectOnly });
      }
      const arrow = words.indexOf('=>');
      if (verb !== 'replace' || arrow < 1) continue;
      const [target = '', targetVersion] = words.slice(arrow + 1);
      const replaced = words.slice(0, arrow).join('@');
      if (replacements.has(replaced)) continue;
      // A replacement without a version is a directory.
      if (targetVersion === undefined) directories.push(isAbsolute(target) ? target : join(directory, target));
      replacements.set(replaced, targetVersion === undefined ? '' : `${target}@${targetVersion}`);
    }
  }
  const modules = [...required].flatMap(([path, { version, isIndirect }]) => {
    const module = `${path}@${version}`;
    const selected = replacements.get(module) ?? replacements.get(path) ?? module;
    const [selectedPath = '', selectedVersion = ''] = selected.split('@');
    if (!modulePath.test(selectedPath) || !moduleVersion.test(selectedVersion)) return [];
    return [{ name: inCache(selected), isIndirect }];
  });
  return { modules, directories };
}

/** Compares versions as Go does, except that parts of a pre-release are compared as text with numbers in it. */
function compareVersions(a: string, b: string): number {
  const [[coreA = '', ...preA], [coreB = '', ...preB]] = [a.split('-'), b.split('-')];
  const cores = coreA.localeCompare(coreB, 'en', { numeric: true });
  if (cores !== 0 || preA.length === 0 || preB.length === 0) return cores || preB.length - preA.length;
  return preA.join('-').localeCompare(preB.join('-'), 'en', { numeric: true });
}

/** A statement of a `go.mod` or `go.work`. */
interface Statement {
  readonly verb: string;
  readonly words: readonly string[];
  readonly isIndirect: boolean;
}

function statementsIn(text: string, manifests: ManifestReader): Statement[] {
  return manifests.firstOf(statements(text), 'statements in `go.mod` or `go.work`');
}

const maxLineLength = 4_000;

/** Yields the statements of a `go.mod`, those in parentheses with the verb before them. */
function* statements(goMod: string): Generator<Statement> {
  let block = '';
  for (const line of linesIn(goMod)) {
    if (line.length > maxLineLength) continue;
    const isIndirect = /\/\/\s*indirect\b/.test(line);
    const code = line.replace(/\/\/.*/, '').trim();
    if (code === '') continue;
    const words = code.split(/\s+/);
    if (words[1] === '(') block = words[0] ?? '';
    else if (words[0] === ')') block = '';
    else if (block !== '') yield { verb: block, words, isIndirect };
    else yield { verb: words[0] ?? '', words: words.slice(1), isIndirect };
  }
}

/** The cache writes uppercase letters as `!` and the lowercase letter. */
function inCache(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
}
