import type { Link } from '../edits/links.ts';
import type { BenchPackage, BenchSymbol, Position } from '../model.ts';
import { copyOfRust } from './rust-copy.ts';
import { RustPositions } from './rust-positions.ts';
import { RustRenaming } from './rust-renaming.ts';
import { type RustDeclaration, type RustFile, rustSyntax } from './rust-syntax.ts';

const ofTrait = /(?:^|\/)impl (.+) for [^/]+\/[^/]+$/;

/**
 * Returns the uses of a symbol, which rustc names once it is marked as deprecated, and for every item of an `impl` block
 * of a trait the trait's item.
 */
export async function rustLinks(pack: BenchPackage, directory: string, about: BenchSymbol): Promise<Link[]> {
  const files = await rustSyntax(directory);
  const positions = new RustPositions(files);
  const links = overridingIn(files).map(({ own, of }): Link => {
    const { name } = own;
    return { kind: 'override', at: positions.toPosition(own), name, to: [`${of}::${name}`] };
  });
  const own = files
    .flatMap(({ declarations }) => declarations)
    .find((one) => one.namePath === about.namePath && isAt(positions.toPosition(one), about.at));
  if (own === undefined || !own.isAskable) return links;
  const renaming = new RustRenaming({ pack, directory: copyOfRust(pack, directory), files, positions });
  const { uses } = await renaming.deprecatedUses(own);
  const to = [positions.toPosition(own)];
  return [...links, ...uses.map((use): Link => ({ kind: 'use', at: positions.toPosition(use), name: own.name, to }))];
}

function isAt(one: Position, { file, line }: Position): boolean {
  return one.file === file && one.line === line;
}

/** Returns the items of `impl` blocks of traits. */
export async function rustOverriding(directory: string): Promise<BenchSymbol[]> {
  const files = await rustSyntax(directory);
  const positions = new RustPositions(files);
  return overridingIn(files)
    .filter(({ own: { file } }) => !/^(?:tests|benches|examples)\//.test(file))
    .map(({ own }) => {
      const { name, namePath, kind, isExported } = own;
      return { name, namePath, kind, isExported, at: positions.toPosition(own) };
    });
}

function overridingIn(files: readonly RustFile[]): { own: RustDeclaration; of: string }[] {
  return files.flatMap(({ declarations }) =>
    declarations.flatMap((own) => {
      const of = ofTrait.exec(own.namePath)?.[1];
      return of === undefined ? [] : [{ own, of }];
    }),
  );
}
