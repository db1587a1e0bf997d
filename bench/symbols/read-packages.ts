import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { languages } from './languages.ts';
import type { BenchLanguage, BenchPackage } from './model.ts';
import { OutsidePackage } from './outside-package.ts';
import { ensurePackage } from './packages.ts';

/** Input that the benchmark cannot use; the message is for its caller. */
export class BadInput extends Error {}

/** A package with the language whose oracles judge it. */
export interface Selected {
  readonly language: BenchLanguage;
  readonly pack: BenchPackage;
}

/**
 * Returns the packages that a file (path) describes, and fetches them.
 *
 * @throws {BadInput} if the file is no list of packages, or names one that cannot be fetched
 */
export async function readPackages(path: string): Promise<Selected[]> {
  const selected: Selected[] = [];
  for (const described of describedIn(path)) {
    const language = languages.find(({ packages }) => packages[0]?.language === described.language);
    if (language === undefined) throw new BadInput(`${path}: there are no oracles for ${described.language}`);
    const outside = language.outside(described);
    // What a caller describes may have the name of a package of the page.
    const fetched = fromDirectory({ ...outside, name: `given ${outside.name}` }, described, path);
    const directory = await ensurePackage(fetched).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new BadInput(`${path}: ${described.name} ${described.version} cannot be fetched: ${reason}`);
    });
    const [usual] = fetched.extensions;
    const sources = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith(usual),
    );
    const [firstFile] = sources.sort();
    if (firstFile === undefined) throw new BadInput(`${path}: ${fetched.name} has no file that ends with ${usual}`);
    selected.push({ language, pack: fetched.firstFile === undefined ? fetched : { ...fetched, firstFile } });
  }
  return selected;
}

function describedIn(path: string): OutsidePackage[] {
  if (!existsSync(path)) throw new BadInput(`${path} does not exist`);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new BadInput(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = z.array(OutsidePackage).min(1).safeParse(content);
  if (!parsed.success) throw new BadInput(`${path} is not a list of packages:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Returns the package with its sources from the directory that its description names, if it names one. */
function fromDirectory(pack: BenchPackage, { directory }: OutsidePackage, path: string): BenchPackage {
  if (directory === undefined) return pack;
  const source = resolve(dirname(path), directory);
  if (!existsSync(source) || !statSync(source).isDirectory())
    throw new BadInput(`${path}: ${source} is not a directory`);
  return {
    ...pack,
    // Answers about other content are not used.
    name: `${pack.name} ${hashOf(source)}`,
    fetch: async (target) =>
      cpSync(source, target, { recursive: true, filter: (file) => !/[\\/](?:\.git|\.serena)$/.test(file) }),
  };
}

function hashOf(directory: string): string {
  const hash = createHash('sha256');
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/]\.git[\\/]/.test(file));
  for (const file of paths.sort()) hash.update(file.slice(directory.length)).update(readFileSync(file));
  return hash.digest('hex').slice(0, 8);
}
