import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun, unpackArchive } from '../../speed/fetch.ts';
import { typescriptEdits } from '../edits/typescript-edits.ts';
import { typescriptProgram } from '../exercises/exercises.ts';
import type { BenchLanguage, BenchPackage, Exercise } from '../model.ts';
import { typescriptDiagnostics } from '../oracles/typescript-diagnostics.ts';
import { typescriptImplementations } from '../oracles/typescript-implementations.ts';
import { typescriptOverview } from '../oracles/typescript-overview.ts';
import { typescriptReferences } from '../oracles/typescript-references.ts';
import { typescriptTraps } from '../traps/typescript.ts';

const shared = {
  language: 'typescript',
  serverId: 'typescript',
  languageId: 'typescript',
  extensions: ['.ts'],
  program: 'typescript-language-server',
} as const;

/** What compilers made of the sources, beside these. */
const built = /^(?:build|dist|esm)\b|\.(?:d\.ts|js|map)$/;

/** How a package is compiled and run. */
interface Compiled {
  readonly paths?: Readonly<Record<string, readonly string[]>>;
  /** What the standard library has. */
  readonly library?: string;
  readonly exercise?: Exercise;
}

/** Packages contain their sources, but not a configuration that every compiler of this benchmark accepts. */
function typescriptPackage(
  name: string,
  specifier: string,
  { paths = {}, library = 'es2022', exercise }: Compiled = {},
): BenchPackage {
  return {
    ...shared,
    name,
    ...(exercise === undefined ? {} : { exercise }),
    configurations: ['tsconfig.json'],
    async fetch(directory) {
      await mustRun('npm', ['pack', '--silent', specifier], directory);
      await unpackArchive(directory, '.tgz');
      for (const name of readdirSync(directory)) {
        if (built.test(name)) rmSync(join(directory, name), { recursive: true });
      }
      const compilerOptions = {
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        noEmit: true,
        strict: true,
        skipLibCheck: true,
        types: [],
        lib: [library, 'dom', 'dom.iterable'],
        paths,
      };
      writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }, null, 2));
    },
  };
}

/** Packages and oracles of TypeScript. */
export const typescript: BenchLanguage = {
  references: typescriptReferences,
  overview: typescriptOverview,
  edits: typescriptEdits,
  implementations: typescriptImplementations,
  diagnostics: typescriptDiagnostics,
  traps: typescriptTraps,
  outside: ({ name, version }) => typescriptPackage(`${name} ${version}`, `${name}@${version}`),
  packages: [
    typescriptPackage('rxjs 7.8.2', 'rxjs@7.8.2', { paths: { rxjs: ['./src/index.ts'], 'rxjs/*': ['./src/*'] } }),
    typescriptPackage('immer 10.1.1', 'immer@10.1.1'),
    typescriptPackage('query-core 5.62.7', '@tanstack/query-core@5.62.7', {
      exercise: typescriptProgram('query-core.ts'),
    }),
    typescriptPackage('mobx 6.13.5', 'mobx@6.13.5', { exercise: typescriptProgram('mobx.ts', ['__DEV__=true']) }),
    {
      ...typescriptPackage('noble-hashes 1.7.1', '@noble/hashes@1.7.1', { paths: { '@noble/hashes/*': ['./src/*'] } }),
      isNew: true,
    },
    { ...typescriptPackage('msgpack 3.0.0', '@msgpack/msgpack@3.0.0', { library: 'esnext' }), isNew: true },
    { ...typescriptPackage('store 0.7.0', '@tanstack/store@0.7.0'), isNew: true },
    typescriptPackage('table-core 8.21.3', '@tanstack/table-core@8.21.3'),
  ],
};
