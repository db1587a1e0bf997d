import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../../../scripts/support/paths.ts';
import { makePythonEnvironment } from '../../../scripts/support/python-environment.ts';
import { mustRun } from '../../speed/fetch.ts';
import { Link } from '../edits/links.ts';
import { type BenchPackage, BenchSymbol, FileTruth, Judged, Position } from '../model.ts';
import { oracleKey } from '../references-task.ts';
import { contenderDirectory } from '../running/contender-directory.ts';
import { remembered } from '../store.ts';

const libclang = '18.1.1';

const CppSymbol = BenchSymbol.extend({
  /** Names of all declarations; for a type also those of its constructors and destructor. */
  declarations: z.array(Position),
  /** Start and end of the declaration that is asked about. */
  extent: z.tuple([Position, Position]),
  /** True if its statement declares other names, too. */
  isShared: z.boolean(),
  uses: z.array(Position),
  /** The same name where no translation unit says what it means. */
  unknown: z.array(Position),
  /** What may mean this symbol among others: other methods of a virtual one, candidates of an overload. */
  open: z.array(Position),
  isVirtual: z.boolean(),
});
export type CppSymbol = z.infer<typeof CppSymbol>;

const CppPackage = z.object({
  symbols: z.array(CppSymbol),
  files: z.array(FileTruth),
  implementations: z.array(Judged),
});

/** Returns what libclang says of all translation units of a package. */
export function analyzeCpp(pack: BenchPackage, directory: string): Promise<z.infer<typeof CppPackage>> {
  return remembered([...oracleKey(pack), `libclang ${directory}`], CppPackage, async () => {
    const script = join(root, 'bench/symbols/oracles/cpp-references.py');
    return CppPackage.parse(JSON.parse(await mustRun(await pythonWithLibclang(), [script, directory], directory)));
  });
}

/** Returns what libclang says of the names in all translation units of a package; see `cpp-links.py`. */
export async function cppLinks(directory: string): Promise<Link[]> {
  const script = join(root, 'bench/symbols/oracles/cpp-links.py');
  return z.array(Link).parse(JSON.parse(await mustRun(await pythonWithLibclang(), [script, directory], directory)));
}

/** Lets the compiler judge changed copies of a package, see `cpp-changes.py`. Returns its answer, as JSON. */
export async function judgeChanges(
  task: 'rename' | 'delete' | 'check' | 'errors',
  directory: string,
  changes: readonly object[],
): Promise<unknown> {
  const script = join(root, 'bench/symbols/oracles/cpp-changes.py');
  const python = task === 'errors' ? await pythonWithLibclang() : 'python3';
  return JSON.parse(await mustRun(python, [script, task, directory], directory, JSON.stringify(changes)));
}

/** Returns the path of a Python that has libclang, in a virtual environment of the cache. */
async function pythonWithLibclang(): Promise<string> {
  const directory = contenderDirectory('libclang', libclang);
  const python = join(directory, 'bin', 'python');
  if (!existsSync(join(directory, 'installed'))) {
    await makePythonEnvironment(directory, [`libclang==${libclang}`]);
    await mustRun('touch', [join(directory, 'installed')], root);
  }
  return python;
}
