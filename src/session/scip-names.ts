import { dirname, join, relative } from 'node:path/posix';
import { isExpected } from '../base/errors.ts';
import type { ScipNames } from '../languages/language-profile.ts';
import { profileOf } from '../languages/profiles.ts';
import type { Project } from '../project/project.ts';
import { type Descriptor, type DescriptorKind, type Package, symbolName } from '../scip/symbol-name.ts';
import { readSource } from '../search/source-text.ts';
import { kinds } from '../symbols/model/kinds.ts';
import type { SymbolNode } from '../symbols/model/symbol.ts';

const typeKinds: readonly number[] = [kinds.class, kinds.interface, kinds.struct, kinds.enum, kinds.typeParameter];
const methodKinds: readonly number[] = [kinds.function, kinds.method, kinds.constructor, kinds.operator];
const namespaceKinds: readonly number[] = [kinds.file, kinds.module, kinds.namespace, kinds.package];

/** Names symbols in SCIP as the usual indexer of each language does. */
export class ScipSymbolNames {
  readonly #project: Project;
  readonly #packages = new Map<string, { readonly directory: string; readonly own: Package }>();

  constructor(project: Project) {
    this.#project = project;
  }

  /** Returns the name of a language, by its LSP id. */
  languageOf(languageId: string): string {
    return profileOf(languageId)?.scip?.language ?? languageId;
  }

  /** Returns the name of a symbol in a file of a language, by its LSP id. */
  nameOf(symbol: SymbolNode, languageId: string): string {
    const names = profileOf(languageId)?.scip;
    const { own, directory } = names === undefined ? unnamed : this.#packageOf(names, dirname(symbol.file));
    const path = relative(directory, symbol.file);
    const namespaces = names?.namespacesOf(path, own.name) ?? path.split('/');
    return symbolName(own, [
      ...namespaces.map((name) => ({ kind: 'namespace', name }) as const),
      ...descriptorsOf(symbol, names),
    ]);
  }

  #packageOf(names: ScipNames, directory: string): { readonly directory: string; readonly own: Package } {
    const key = `${names.manifest}\0${directory}`;
    const known = this.#packages.get(key);
    if (known) return known;
    const manifest = this.#read(join(directory, names.manifest));
    const isTop = directory === '.';
    const { scheme, manager } = names;
    const of = (text: string) => ({ directory, own: { scheme, manager, ...names.packageIn(text) } });
    const found = manifest === undefined && !isTop ? this.#packageOf(names, dirname(directory)) : of(manifest ?? '');
    this.#packages.set(key, found);
    return found;
  }

  #read(path: string): string | undefined {
    try {
      return readSource(this.#project, path, 'utf-8').text;
    } catch (error) {
      if (isExpected(error)) return undefined;
      throw error;
    }
  }
}

/** The package of languages whose indexers nobody has. */
const unnamed = { directory: '.', own: { scheme: 'serena', manager: '', name: '', version: '' } };

function descriptorsOf(symbol: SymbolNode, names: ScipNames | undefined): Descriptor[] {
  const { name, bareName, kind, parent, receiver, overloadIndex } = symbol;
  const outer = parent === undefined ? [] : descriptorsOf(parent, names);
  const type = receiver === undefined ? [] : [{ kind: 'type', name: receiver } as const];
  const isTerm = names?.hasMethodTerms === true && parent?.kind === kinds.interface;
  const own = {
    name: names?.renamed?.get(name) ?? bareName ?? name,
    kind: isTerm ? 'term' : descriptorKind(kind),
    overload: overloadIndex,
  } as const;
  return [...outer, ...type, own];
}

function descriptorKind(kind: number): DescriptorKind {
  if (typeKinds.includes(kind)) return 'type';
  if (methodKinds.includes(kind)) return 'method';
  return namespaceKinds.includes(kind) ? 'namespace' : 'term';
}

/** Numbers of SCIP's kinds by those of LSP. */
const kindNumbers: ReadonlyMap<number, number> = new Map([
  [kinds.file, 16],
  [kinds.module, 29],
  [kinds.namespace, 30],
  [kinds.package, 35],
  [kinds.class, 7],
  [kinds.method, 26],
  [kinds.property, 41],
  [kinds.field, 15],
  [kinds.constructor, 9],
  [kinds.enum, 11],
  [kinds.interface, 21],
  [kinds.function, 17],
  [kinds.variable, 61],
  [kinds.constant, 8],
  [kinds.string, 48],
  [kinds.number, 32],
  [kinds.boolean, 5],
  [kinds.array, 1],
  [kinds.object, 33],
  [kinds.key, 22],
  [kinds.null, 31],
  [kinds.enumMember, 12],
  [kinds.struct, 49],
  [kinds.event, 13],
  [kinds.operator, 34],
  [kinds.typeParameter, 58],
]);

/** Returns the number of SCIP's kind for a kind of LSP. */
export function scipKind(kind: number): number {
  return kindNumbers.get(kind) ?? 0;
}
