import type { ImplementationsOracle, Judged } from '../model.ts';
import { copyOfRust } from './rust-copy.ts';
import { RustPositions } from './rust-positions.ts';
import { RustRenaming } from './rust-renaming.ts';
import { type RustDeclaration, type RustFile, rustSyntax } from './rust-syntax.ts';

const isTest = /^(?:tests|benches|examples)\/|^build\.rs$|\/tests?\.rs$/;

/** `impl` blocks of the traits of a package, from `syn` and rustc. */
export const rustImplementations: ImplementationsOracle = {
  description:
    'Rust, implementations: the `impl` blocks that `syn` finds and whose trait is, according to rustc, the one that is ' +
    'marked as deprecated, and their methods, in all listed configurations and with tests. What macros expand to is not judged.',

  async judge(pack, directory) {
    const files = await rustSyntax(directory);
    const positions = new RustPositions(files);
    const renaming = new RustRenaming({ pack, directory: copyOfRust(pack, directory), files, positions });
    const declarations = files.flatMap((file) => file.declarations);
    const traits = declarations.filter(({ kind, file }) => kind === 'trait' && !isTest.test(file));
    const judged: Judged[] = [];
    for (const trait of traits) {
      const blocks = await blocksOf(renaming, files, trait);
      if (blocks.length === 0) continue;
      const methods = declarations.filter((one) => one.kind === 'trait method' && isIn(one, trait));
      const members = (name: string) =>
        declarations.filter((one) => one.kind === 'method' && one.name === name && blocks.some((of) => isIn(one, of)));
      judged.push(
        toJudged(positions, trait, blocks),
        ...methods.map((method) => toJudged(positions, method, members(method.name))),
      );
    }
    return judged.filter(({ must }) => must.length > 0);
  },
};

/** Returns the `impl` blocks of a trait. */
async function blocksOf(
  renaming: RustRenaming,
  files: readonly RustFile[],
  trait: RustDeclaration,
): Promise<RustDeclaration[]> {
  const { uses, aliases, problem } = await renaming.deprecatedUses(trait);
  if (problem !== undefined) throw new Error(`cannot judge ${trait.namePath}: ${problem}`);
  const isUsed = (all: typeof uses, file: string, at: number) => all.some((use) => use.file === file && use.at === at);
  return files.flatMap(({ file, implementations, declarations }) => {
    const own = implementations.filter(({ path, name }) => isUsed(uses, file, name) || isUsed(aliases, file, path));
    return declarations.filter((one) => one.kind === 'implementation' && own.some(({ at }) => at === one.at));
  });
}

function isIn(inner: RustDeclaration, { file, start, end }: RustDeclaration): boolean {
  return inner.file === file && start < inner.start && inner.end <= end;
}

function toJudged(
  positions: RustPositions,
  { name, namePath, kind, isExported, file, at }: RustDeclaration,
  found: readonly RustDeclaration[],
): Judged {
  const must = found.map((one) => positions.toPosition(one));
  return { symbol: { name, namePath, kind, isExported, at: positions.toPosition({ file, at }) }, must, may: must };
}
