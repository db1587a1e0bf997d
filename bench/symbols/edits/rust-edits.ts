import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchPackage, BenchSymbol } from '../model.ts';
import { RustChanges } from '../oracles/rust-changes.ts';
import { rustCompiler } from '../oracles/rust-compiler.ts';
import { rustLinks, rustOverriding } from '../oracles/rust-links.ts';
import { RustPositions } from '../oracles/rust-positions.ts';
import { RustRenaming } from '../oracles/rust-renaming.ts';
import { type RustDeclaration, type RustFile, rustSyntax } from '../oracles/rust-syntax.ts';
import { packageKey, symbenchCache } from '../packages.ts';
import type { Deletion, EditOracle } from './model.ts';

/** `cargo check` for changed packages and for deletions. */
export const rustEdits: EditOracle = {
  version: 5,
  description:
    'Rust: `cargo check` with tests, benchmarks and examples, in all listed configurations. A symbol is used if there is ' +
    'an error without its declaration, or if rustc reports uses once it is marked as deprecated. ' +
    'The same mark shows whether the uses of a renamed symbol are those that it had. An item of an `impl` block of a trait ' +
    'is used: it may take the place of a default.',

  async problems(pack, directory) {
    const found: string[] = [];
    for (const configuration of pack.configurations) {
      for (const { isError, code, text, places } of await rustCompiler(pack, directory, configuration)) {
        if (isError && places.length > 0) found.push(`${configuration}: ${places[0]?.[0]?.file}: ${code} ${text}`);
      }
    }
    return found;
  },

  // rustc only warns.
  isUnusedImport: () => false,

  // A field in a struct literal or pattern without a value of its own.
  repetition: /\b(\w+): \1\b/g,

  links: rustLinks,
  linksOneSymbol: true,
  members: (_pack, directory) => rustOverriding(directory),

  async deletions(pack, directory, symbols) {
    const files = await rustSyntax(directory);
    const copy = join(symbenchCache, 'rust-copies', `${packageKey(pack)}-deleted`);
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy, { recursive: true });
    cpSync(directory, copy, { recursive: true });
    const found: Deletion[] = [];
    for (const symbol of symbols) found.push(await judge({ pack, copy, files }, symbol));
    return found;
  },
};

interface Bench {
  readonly pack: BenchPackage;
  readonly copy: string;
  readonly files: readonly RustFile[];
}

async function judge({ pack, copy, files }: Bench, symbol: BenchSymbol): Promise<Deletion> {
  const positions = new RustPositions(files);
  const own = files
    .flatMap(({ declarations }) => declarations)
    .find((one) => one.namePath === symbol.namePath && isAt(positions, one, symbol));
  const text = files.find(({ file }) => file === symbol.at.file)?.text;
  if (own === undefined || text === undefined) throw new Error(`no declaration of ${symbol.namePath}`);
  const lines = {
    firstLine: positions.toPosition({ file: own.file, at: own.start }).line,
    lastLine: positions.toPosition({ file: own.file, at: own.end }).line,
  };
  const { uses } = await new RustRenaming({ pack, directory: copy, files, positions }).deprecatedUses(own);
  const [use] = uses.filter(({ file, at }) => file !== own.file || at < own.start || at >= own.end);
  if (use !== undefined)
    return { symbol, ...lines, problem: `used at ${use.file}:${positions.toPosition(use).line + 1}` };
  const changes = new RustChanges(copy, files);
  // A field or variant has a comma behind it.
  const end = text[own.end] === 0x2c ? own.end + 1 : own.end;
  changes.write([{ file: own.file, start: own.start, end, text: '' }]);
  try {
    const problems = await rustEdits.problems(pack, copy);
    return { symbol, ...lines, problem: problems[0] ?? '' };
  } finally {
    changes.write([]);
  }
}

function isAt(positions: RustPositions, { file, at }: RustDeclaration, symbol: BenchSymbol): boolean {
  const position = positions.toPosition({ file, at });
  return file === symbol.at.file && position.line === symbol.at.line && position.column === symbol.at.column;
}
