import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../../../scripts/support/paths.ts';
import { mustRun } from '../../speed/fetch.ts';
import { symbenchCache } from '../packages.ts';

const Declaration = z.object({
  name: z.string(),
  namePath: z.string(),
  kind: z.string(),
  isExported: z.boolean(),
  /** False for what cannot be renamed on its own. */
  isAskable: z.boolean(),
  at: z.int(),
  start: z.int(),
  end: z.int(),
});

const Facts = z.object({
  file: z.string(),
  declarations: z.array(Declaration),
  shorthands: z.array(z.int()),
  selfTypes: z.array(z.object({ of: z.string(), at: z.int() })),
  conditional: z.array(z.tuple([z.int(), z.int()])),
  /** `impl` blocks of traits: where they, the path of the trait and its last name begin. */
  implementations: z.array(z.object({ at: z.int(), path: z.int(), name: z.int() })),
});

/** A declaration in a Rust file; positions are offsets in bytes. */
export type RustDeclaration = z.infer<typeof Declaration> & { readonly file: string };

/** What `syn` sees in one Rust file; positions are offsets in bytes. */
export interface RustFile extends Omit<z.infer<typeof Facts>, 'declarations'> {
  readonly text: Buffer;
  readonly declarations: readonly RustDeclaration[];
}

/** Returns what the program in `oracles/rust` sees in all Rust files below a directory that it can parse. */
export async function rustSyntax(directory: string): Promise<RustFile[]> {
  const program = await buildProgram();
  const found = z.array(Facts).parse(JSON.parse(await mustRun(program, [directory], directory)));
  return found.map(({ declarations, ...facts }) => ({
    ...facts,
    text: readFileSync(join(directory, facts.file)),
    declarations: declarations.map((declaration) => ({ ...declaration, file: facts.file })),
  }));
}

let building: Promise<string> | undefined;

/** Builds a copy, because Cargo writes a lock file beside the sources. */
function buildProgram(): Promise<string> {
  building ??= (async () => {
    const copy = join(symbenchCache, 'tools', 'rust-syntax');
    mkdirSync(copy, { recursive: true });
    cpSync(join(root, 'bench/symbols/oracles/rust'), copy, { recursive: true });
    await mustRun('cargo', ['build', '--quiet', '--target-dir', join(copy, 'target')], copy);
    return join(copy, 'target', 'debug', process.platform === 'win32' ? 'symbench.exe' : 'symbench');
  })();
  return building;
}
