import { createHash } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';
import type { Call } from '../base/call.ts';
import { mapConcurrently } from '../base/concurrent.ts';
import { ExpectedError, isExpected } from '../base/errors.ts';
import { toUri } from '../base/paths.ts';
import { adapters } from '../languages/adapters.ts';
import type { ScipNames } from '../languages/language-profile.ts';
import { profileOf } from '../languages/profiles.ts';
import type { Project } from '../project/project.ts';
import { blobOf } from '../scip/blob.ts';
import { type DeclaredSymbol, ExportStore, type SymbolAnswer } from '../scip/export-store.ts';
import { ownTool } from '../scip/message.ts';
import { type Descriptor, type DescriptorKind, type Package, symbolName } from '../scip/symbol-name.ts';
import { documentBytes, metadataBytes } from '../scip/write.ts';
import { readSource } from '../search/source-text.ts';
import { languageIdOf } from '../servers/spec.ts';
import { writtenName } from '../symbols/edits/edited-symbol.ts';
import { isCallable, kinds } from '../symbols/model/kinds.ts';
import { namedSymbol, namePlace, preOrder, type SymbolNode } from '../symbols/model/symbol.ts';
import { Symbols } from '../symbols/symbols.ts';
import { type Place, positionKey } from '../text/place.ts';
import { offsetAt } from '../text/position.ts';
import type { TextLines } from '../text/text-lines.ts';
import type { OpenProject } from './open-projects.ts';

interface ExportOptions {
  readonly call: Call;
  /** Absolute path of the index. */
  readonly output: string;
  readonly version: string;
  /** True if the answers of earlier exports do not count. */
  readonly isFresh: boolean;
  /** How long one question to a language server may take. */
  readonly questionMs: number;
  onProgress(progress: { readonly doneCount: number; readonly failedCount: number; readonly fileCount: number }): void;
}

export interface ExportResult {
  readonly documents: number;
  /** Symbols about which a server was asked; the answers about the others are those of an earlier export. */
  readonly asked: number;
  /** Occurrences that no server resolves. The index does not have them. */
  readonly openCount: number;
  /** Files and symbols that the index lacks, each with the reason. */
  readonly failures: readonly { readonly what: string; readonly reason: string }[];
}

/** Questions at the same time. The server and the scanner work on different ones. */
const atOnce = 4;

/**
 * Writes what is known of a project's symbols as a SCIP index: each declared symbol and each reference to it, as
 * `serena refs` answers them. Occurrences that no server resolves are left out.
 *
 * @throws {ExpectedError} `search.too-slow`, `file.not-written`, `tool.cancelled`.
 */
export async function exportScip(open: OpenProject, options: ExportOptions): Promise<ExportResult> {
  const { project } = open;
  const paths = await sourcesOf(open, options.call);
  const identity = await identityOf(open, paths, options);
  const store = ExportStore.open(project.state.cache, { identity, isFresh: options.isFresh });
  const run = new Export(open, store, options);
  try {
    return await run.run(paths);
  } finally {
    run.store.close();
    await open.files.save();
  }
}

/** Returns the paths of all files that have a language server. */
async function sourcesOf({ sources, project }: OpenProject, call: Call): Promise<string[]> {
  const walk = { extensions: sources.extensions, pruneDirectories: sources.prunedDirectories };
  const files = await project.scanner.listFiles(walk, call.signal);
  return files.map(({ path }) => path).filter((path) => sources.serverOf(path) !== undefined);
}

/**
 * Returns a text that differs if answers about unchanged files may differ: after a change of this program, of the language
 * servers, or of a file that configures them, which also has the name of a package.
 */
async function identityOf(
  { sources, project }: OpenProject,
  paths: readonly string[],
  { version, call }: ExportOptions,
): Promise<string> {
  const specs = [...new Set(paths.map((path) => sources.requireServer(path).spec))];
  const names = [...new Set(specs.flatMap(({ watchedFiles }) => watchedFiles))];
  const walk = { extensions: names, pruneDirectories: sources.prunedDirectories };
  const watched = names.length === 0 ? [] : await project.scanner.listFiles(walk, call.signal);
  const own = new Set(paths);
  const hash = createHash('sha256');
  for (const { path } of watched.filter((file) => !own.has(file.path)).sort((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(`${path}\0${readableBlob(project, path)}\0`);
  }
  return [version, project.root, ...specs.map(({ name }) => name).sort(), hash.digest('hex')].join('\n');
}

/** @throws {ExpectedError} as {@link readSource}. */
function currentBlob(project: Project, path: string): string {
  return blobOf(readSource(project, path, project.config.encoding).bytes);
}

function readableBlob(project: Project, path: string): string {
  try {
    return currentBlob(project, path);
  } catch (error) {
    if (isExpected(error)) return error.code;
    throw error;
  }
}

class Export {
  readonly store: ExportStore;
  readonly #open: OpenProject;
  readonly #options: ExportOptions;
  readonly #names: ScipSymbolNames;
  readonly #failures: { what: string; reason: string }[] = [];
  /** Servers that cannot be had, by the reason. */
  readonly #broken = new Map<unknown, ExpectedError>();
  #asked = 0;

  constructor(open: OpenProject, store: ExportStore, options: ExportOptions) {
    this.#open = open;
    this.store = store;
    this.#options = options;
    this.#names = new ScipSymbolNames(open.project);
  }

  async run(paths: readonly string[]): Promise<ExportResult> {
    const blobs = new Map(paths.flatMap((path) => this.#blobOf(path).map((blob) => [path, blob] as const)));
    const unread = new Set(this.store.keep(blobs, (path) => this.#wordsOf(path)));
    for (const path of unread) await this.#tryOn(path, () => this.#read(path, blobs.get(path) ?? ''));
    const known = this.store.documents();
    for (const [at, { path }] of known.entries()) {
      await this.#tryOn(path, () => this.#askAbout(path));
      this.#options.onProgress({ doneCount: at + 1, failedCount: this.#failures.length, fileCount: known.length });
    }
    const documents = this.#write(blobs);
    return { documents, asked: this.#asked, openCount: this.store.openCount, failures: this.#failures };
  }

  #blobOf(path: string): [string] | [] {
    try {
      return [currentBlob(this.#open.project, path)];
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      this.#failures.push({ what: path, reason: error.message });
      return [];
    }
  }

  #wordsOf(path: string): Iterable<string> {
    const { text } = this.#open.files.textOf(path);
    return new Set(text.match(/[\p{L}\p{N}_$]+/gu) ?? []);
  }

  async #tryOn(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.call.signal.throwIfAborted();
      if (!(error instanceof ExpectedError)) throw error;
      this.#failures.push({ what, reason: error.message });
    }
  }

  /** Adds a file with the symbols that it declares. */
  async #read(path: string, blob: string): Promise<void> {
    const active = this.#open.sources.requireServer(path);
    const broken = this.#broken.get(active);
    if (broken !== undefined) throw broken;
    const languageId = languageIdOf(active.spec, path) ?? '';
    const symbols = this.#symbols();
    let tree: readonly SymbolNode[];
    try {
      tree = await this.#open.files.treeOf(path, this.#call());
    } catch (error) {
      if (isExpected(error) && isBroken(error)) this.#broken.set(active, error);
      throw error;
    }
    const declared = preOrder(tree).filter(isNamed);
    const info = await symbols.info(declared, this.#options.questionMs);
    const language = this.#names.languageOf(languageId);
    const lines = this.#open.files.textOf(path);
    const described = declared.map((symbol): DeclaredSymbol => {
      const documentation = info.get(symbol);
      return {
        name: writtenName(symbol, lines),
        symbol: this.#names.nameOf(symbol, { languageId, lines }),
        isNested: isNested(symbol),
        kind: scipKind(symbol.kind),
        displayName: symbol.bareName ?? symbol.name,
        documentation: documentation === undefined ? [] : [documentation],
        range: symbol.selectionRange,
        body: symbol.range,
      };
    });
    this.store.atOnce(() => this.store.add({ path, language, blob }, described));
  }

  /** Asks for the references to those symbols of a file about which nobody has asked. */
  async #askAbout(path: string): Promise<void> {
    const left = this.store.unanswered(path);
    if (left.size === 0) return;
    const nodes = preOrder(await this.#open.files.treeOf(path, this.#call()));
    const asked = nodes.flatMap((node) => {
      const id = isNamed(node) ? left.get(positionKey(node.selectionRange.start)) : undefined;
      return id === undefined ? [] : [{ id, node }];
    });
    const answers = await mapConcurrently(asked, atOnce, async ({ id, node }) => {
      let answer: SymbolAnswer | undefined;
      await this.#tryOn(`${path}#${node.name}`, async () => {
        answer = await this.#ask(node);
      });
      return { id, answer };
    });
    this.store.atOnce(() => {
      for (const { id, answer } of answers) if (answer !== undefined) this.store.answer(id, answer);
    });
    this.#asked += answers.length;
  }

  async #ask(node: SymbolNode): Promise<SymbolAnswer> {
    const symbols = this.#symbols();
    const entries = await symbols.explained(node);
    const places = (verdict: string) => entries.filter((entry) => entry.verdict === verdict);
    const implementations = await this.#implementations(symbols, node);
    return { own: places('own'), other: places('other'), open: places('open'), implementations };
  }

  /** Returns the names of what implements a type, and of its members that implement those of the type. */
  async #implementations(symbols: Symbols, node: SymbolNode): Promise<readonly Place[]> {
    const { hasImplicitInterfaces } = this.#open.sources.requireServer(node.file).spec.quirks ?? {};
    const isInterface = node.kind === kinds.interface;
    const isMember = node.parent?.kind === kinds.interface && isCallable(node);
    const isClass = node.kind === kinds.class && hasImplicitInterfaces !== true;
    if (!isInterface && !isMember && !isClass) return [];
    try {
      const found = await symbols.implementations(node, { include: [], exclude: [] });
      return found.filter((one) => one.kind !== kinds.variable).map(namePlace);
    } catch (error) {
      this.#options.call.signal.throwIfAborted();
      // Not every server finds implementations.
      if (isExpected(error, 'server.refused')) return [];
      throw error;
    }
  }

  /** Writes the index. Files that have changed since they were read are left out. Returns the number of documents. */
  #write(blobs: ReadonlyMap<string, string>): number {
    const { output, version } = this.#options;
    const temporary = `${output}.${process.pid}.tmp`;
    let count = 0;
    const fd = openOutput(temporary);
    try {
      writeSync(fd, metadataBytes({ name: ownTool, version }, toUri(this.#open.project.root)));
      for (const { id, path, language, blob } of this.store.documents()) {
        if (this.#blobOf(path)[0] !== blobs.get(path)) {
          this.#failures.push({ what: path, reason: 'it has changed since it was read; run the command again' });
          continue;
        }
        writeSync(fd, documentBytes({ path, language, blob, ...this.store.contentOf(id) }));
        count++;
      }
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, output);
    return count;
  }

  #symbols(): Symbols {
    return new Symbols({ files: this.#open.files, call: this.#call(), adapters, source: 'server' });
  }

  #call(): Call {
    const { call, questionMs } = this.#options;
    return { ...call, deadlineMs: performance.now() + questionMs };
  }
}

function openOutput(path: string): number {
  try {
    return openSync(path, 'wx');
  } catch (error) {
    throw new ExpectedError('file.not-written', `cannot write \`${path}\``, {
      cause: error,
      hints: ['pass another file with `--output`'],
    });
  }
}

function isBroken({ code }: ExpectedError): boolean {
  return code.startsWith('install.') || code === 'server.start-failed' || code === 'server.missing';
}

/** True if code can refer to a symbol by a name. */
function isNamed(symbol: SymbolNode): boolean {
  return symbol.name !== '' && namedSymbol(symbol) === symbol;
}

function isNested({ parent }: SymbolNode): boolean {
  return parent !== undefined && (isCallable(parent) || isNested(parent));
}

const typeKinds: readonly number[] = [kinds.class, kinds.interface, kinds.struct, kinds.enum, kinds.typeParameter];
const methodKinds: readonly number[] = [kinds.function, kinds.method, kinds.constructor, kinds.operator];
const namespaceKinds: readonly number[] = [kinds.file, kinds.module, kinds.namespace, kinds.package];

/** Names symbols in SCIP as the usual indexer of each language does. */
class ScipSymbolNames {
  readonly #project: Project;
  readonly #packages = new Map<string, { readonly directory: string; readonly own: Package }>();

  constructor(project: Project) {
    this.#project = project;
  }

  /** Returns the name of a language, by its LSP id. */
  languageOf(languageId: string): string {
    return profileOf(languageId)?.scip?.language ?? languageId;
  }

  /** Returns the name of a symbol in a file of a language, by its LSP id. `lines` is the text of the file. */
  nameOf(symbol: SymbolNode, { languageId, lines }: { languageId: string; lines: TextLines }): string {
    const names = profileOf(languageId)?.scip;
    const { own, directory } = names === undefined ? unnamed : this.#packageOf(names, dirname(symbol.file));
    const path = relative(directory, symbol.file);
    const namespaces = names?.namespacesOf(path, own.name) ?? path.split('/');
    return symbolName(own, [
      ...namespaces.map((name) => ({ kind: 'namespace', name }) as const),
      ...descriptorsOf(symbol, { names, lines }),
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

/** What names symbols of a file. */
interface Naming {
  readonly names: ScipNames | undefined;
  readonly lines: TextLines;
}

function descriptorsOf(symbol: SymbolNode, naming: Naming): Descriptor[] {
  const { names } = naming;
  const { name, bareName, kind, parent, receiver, overloadIndex } = symbol;
  const outer = parent === undefined ? [] : descriptorsOf(parent, naming);
  const type = receiver === undefined ? [] : [{ kind: 'type', name: receiver } as const];
  const isType = isOtherType(symbol, naming);
  const isTerm = names?.hasMethodTerms === true && parent?.kind === kinds.interface;
  const own = {
    name: names?.renamed?.get(name) ?? bareName ?? name,
    kind: isType ? 'type' : isTerm ? 'term' : descriptorKind(kind),
    overload: overloadIndex,
  } as const;
  return [...outer, ...type, own];
}

function isOtherType({ kind, range, selectionRange }: SymbolNode, { names, lines }: Naming): boolean {
  const { otherTypes } = names ?? {};
  if (otherTypes === undefined || kind !== kinds[otherTypes.kind]) return false;
  const [start, end] = [range.start, selectionRange.start].map((at) => offsetAt(lines.text, lines.starts, at));
  return otherTypes.before.test(lines.text.slice(start, end));
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
function scipKind(kind: number): number {
  return kindNumbers.get(kind) ?? 0;
}
