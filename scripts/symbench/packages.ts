import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchGoModule, mustRun, unpackArchive } from '../bench/fetch.ts';
import { cacheDirectory } from '../bench/projects.ts';
import type { BenchPackage } from './model.ts';

/** Absolute path of the directory for packages, oracles and answers, which survives between runs. */
export const symbenchCache = join(cacheDirectory, 'symbench');

function goPackage(name: string, module: string, configurations: readonly string[]): BenchPackage {
  return {
    language: 'go',
    name,
    serverId: 'go',
    languageId: 'go',
    extension: '.go',
    configurations,
    fetch: (directory) => fetchGoModule(directory, module),
  };
}

const chiExamples = [
  'custom-handler',
  'custom-method',
  'fileserver',
  'graceful',
  'hello-world',
  'limits',
  'logging',
  'pathvalue',
  'router-walk',
  'todos-resource',
];

/** Packages contain their sources, but not a configuration that every compiler of this benchmark accepts. */
function typescriptPackage(
  name: string,
  specifier: string,
  paths: Readonly<Record<string, readonly string[]>> = {},
): BenchPackage {
  return {
    language: 'typescript',
    name,
    serverId: 'typescript',
    languageId: 'typescript',
    extension: '.ts',
    configurations: ['tsconfig.json'],
    async fetch(directory) {
      await mustRun('npm', ['pack', '--silent', specifier], directory);
      await unpackArchive(directory, '.tgz');
      for (const built of ['dist', 'build']) rmSync(join(directory, built), { recursive: true, force: true });
      const compilerOptions = {
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        noEmit: true,
        strict: true,
        skipLibCheck: true,
        types: [],
        lib: ['es2022', 'dom', 'dom.iterable'],
        paths,
      };
      writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }, null, 2));
    },
  };
}

function pythonPackage(name: string, requirement: string, roots: readonly string[]): BenchPackage {
  return {
    language: 'python',
    name,
    serverId: 'python',
    languageId: 'python',
    extension: '.py',
    configurations: roots,
    async fetch(directory) {
      const args = ['download', '--quiet', '--no-deps', '--no-binary', ':all:', requirement];
      await mustRun('pip', args, directory);
      await unpackArchive(directory, '.tar.gz');
    },
  };
}

export const benchPackages: readonly BenchPackage[] = [
  {
    ...goPackage('chi 5.2.3', 'github.com/go-chi/chi/v5@v5.2.3', ['linux']),
    // `./...` leaves out directories that begin with an underscore.
    targets: ['./...', ...chiExamples.map((name) => `./_examples/${name}`)],
  },
  // A file per operating system: most of its symbols exist in some configurations only.
  goPackage('fsnotify 1.9.0', 'github.com/fsnotify/fsnotify@v1.9.0', [
    'linux',
    'windows',
    'darwin',
    'freebsd',
    'solaris',
  ]),
  goPackage('lo 1.51.0', 'github.com/samber/lo@v1.51.0', ['linux']),
  typescriptPackage('rxjs 7.8.2', 'rxjs@7.8.2', { rxjs: ['./src/index.ts'], 'rxjs/*': ['./src/*'] }),
  typescriptPackage('immer 10.1.1', 'immer@10.1.1'),
  typescriptPackage('table-core 8.21.3', '@tanstack/table-core@8.21.3'),
  pythonPackage('attrs 25.3.0', 'attrs==25.3.0', ['src', 'tests', 'bench']),
  pythonPackage('click 8.2.1', 'click==8.2.1', ['src', 'tests']),
  pythonPackage('boltons 25.0.0', 'boltons==25.0.0', ['.']),
];

/** Returns a name for files and directories. */
export function packageKey(pack: BenchPackage): string {
  return pack.name.replaceAll(/[^\w.]+/g, '-').toLowerCase();
}

/** Returns the absolute path of the package's sources, downloading them if necessary. */
export async function ensurePackage(pack: BenchPackage): Promise<string> {
  const directory = join(symbenchCache, 'packages', packageKey(pack));
  if (existsSync(directory)) return directory;
  process.stderr.write(`Downloading ${pack.name} …\n`);
  const staged = `${directory}.partial`;
  rmSync(staged, { recursive: true, force: true });
  mkdirSync(staged, { recursive: true });
  await pack.fetch(staged);
  renameSync(staged, directory);
  return directory;
}
