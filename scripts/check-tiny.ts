// usage: bun scripts/check-tiny.ts
// Checks that no module of src/ with fewer than 15 lines of code has a single importer in src/ and scripts/: its code belongs
// there, or beside a sibling. Files that a convention demands are exempt; see `isDemanded`.
import { dirname, join, normalize } from 'node:path/posix';
import { type Import, readImports, withoutComments } from './support/imports.ts';
import { reportProblems } from './support/report.ts';
import { listSources, readSource } from './support/tracked-files.ts';

const minLines = 15;

interface Module {
  readonly path: string;
  /** Source without comments. */
  readonly code: string;
  readonly imports: readonly Import[];
}

/** Import lists of one or more lines. */
const importList = /^(?:import|export)\b[^'"`;]*?\bfrom\s*['"][^'"]+['"].*$|^import\s*['"][^'"]+['"].*$/gm;

function readModule(path: string): Module {
  const code = withoutComments(readSource(path));
  return { path, code, imports: readImports(code).imports };
}

function countLines({ code }: Module): number {
  const lines = code.replace(importList, '').split('\n');
  return lines.filter((line) => line.trim() !== '').length;
}

/** Returns the path below the root that an import of `from` names. */
function targetOf(from: string, { specifier }: Import): string {
  return normalize(join(dirname(from), specifier));
}

/** True for a file that must exist by a rule of its directory, or because it is loaded on its own. */
function isDemanded({ path, code }: Module, isLoadedAlone: boolean): boolean {
  return (
    isLoadedAlone ||
    path.startsWith('src/generated/') ||
    // Parts that belong to no subject, such as a mutex, even if only one module needs them so far.
    path.startsWith('src/base/') ||
    // One file per language server, per quirk and per language, one per tool, and one that declares the commands of a noun.
    /^src\/(?:servers\/catalog\/(?:specs|quirks)|syntax\/languages)\//.test(path) ||
    (/^src\/tools\/[^/]+\//.test(path) && code.includes('defineTool(')) ||
    /^src\/cli\/[^/]+\/commands\.ts$/.test(path)
  );
}

/** Returns a problem for each tiny module that only one other imports. */
function findTiny(modules: readonly Module[]): string[] {
  const importers = new Map<string, Set<string>>();
  // Loaded on demand or in a thread of its own, for which a module is needed.
  const loadedAlone = new Set<string>();
  for (const { path, imports } of modules) {
    for (const imported of imports) {
      const target = targetOf(path, imported);
      importers.set(target, (importers.get(target) ?? new Set()).add(path));
      if (imported.kind !== 'static') loadedAlone.add(target);
    }
  }
  return modules.flatMap((module) => {
    const [importer, ...others] = importers.get(module.path) ?? [];
    if (!module.path.startsWith('src/') || importer === undefined || others.length > 0) return [];
    if (isDemanded(module, loadedAlone.has(module.path))) return [];
    const lines = countLines(module);
    return lines < minLines ? [`${module.path}: ${lines} lines of code, imported by ${importer} alone`] : [];
  });
}

async function main(): Promise<never> {
  const files = (await listSources('src', 'scripts')).filter((path) => path.endsWith('.ts'));
  const problems = findTiny(files.map(readModule));
  reportProblems(
    problems,
    'no tiny module of src has a single importer',
    'Move the code into the module that imports it, or into a sibling of the same subject',
  );
}

if (import.meta.main) await main();
