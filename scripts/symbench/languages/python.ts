import { mustRun, unpackArchive } from '../../bench/fetch.ts';
import { pythonEdits } from '../edits/python-edits.ts';
import type { BenchLanguage, BenchPackage } from '../model.ts';
import { pythonDiagnostics } from '../oracles/python-diagnostics.ts';
import { pythonImplementations } from '../oracles/python-implementations.ts';
import { pythonOverview } from '../oracles/python-overview.ts';
import { pythonReferences } from '../oracles/python-references.ts';
import { pythonTraps } from '../traps/python.ts';

const shared = {
  language: 'python',
  serverId: 'python',
  languageId: 'python',
  extensions: ['.py'],
  program: 'pyright-langserver',
  readyMessage: { method: 'window/logMessage', pattern: /Found \d+ source file/ },
} as const;

function pythonPackage(name: string, requirement: string, roots: readonly string[]): BenchPackage {
  return {
    ...shared,
    name,
    configurations: roots,
    async fetch(directory) {
      const args = ['download', '--quiet', '--no-deps', '--no-binary', ':all:', requirement];
      await mustRun('pip', args, directory);
      await unpackArchive(directory, '.tar.gz');
    },
  };
}

/** Packages and oracles of Python. */
export const python: BenchLanguage = {
  references: pythonReferences,
  overview: pythonOverview,
  edits: pythonEdits,
  implementations: pythonImplementations,
  diagnostics: pythonDiagnostics,
  traps: pythonTraps,
  packages: [
    pythonPackage('attrs 25.3.0', 'attrs==25.3.0', ['src', 'tests', 'bench']),
    pythonPackage('click 8.2.1', 'click==8.2.1', ['src', 'tests']),
    pythonPackage('boltons 25.0.0', 'boltons==25.0.0', ['.']),
  ],
};
