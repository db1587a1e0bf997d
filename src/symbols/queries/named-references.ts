import { basename } from 'node:path/posix';
import { mapConcurrently } from '../../base/concurrent.ts';
import { counted } from '../../base/counted.ts';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { type Gap, namedFiles } from '../../base/gap.ts';
import { log } from '../../base/log.ts';
import { parseDependencyAddress } from '../../search/dependency-address.ts';
import type { FileIdentifiers } from '../../search/scan-protocol.ts';
import { placeAt, positionKey } from '../../text/place.ts';
import { writtenName } from '../edits/edited-symbol.ts';
import { referencingSymbol } from '../model/at-position.ts';
import { acceptsKind, type KindFilter } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { type SymbolNode, visitTree } from '../model/symbol.ts';
import { textSearch } from '../model/text-search.ts';
import type { TreeProvider } from '../model/tree-provider.ts';
import { parsedOccurrences } from '../occurrences/parsed-occurrences.ts';
import type { Reference } from './references.ts';

/** Context of a question that syntax trees answer. */
export type NamedScope = SymbolScope & { readonly trees: TreeProvider };

/** Matches of a symbol's name in code. */
export interface NamedReferences {
  /** With their containers, sorted by file and position, without the definitions of the name. */
  readonly matches: readonly Reference[];
  /** Number of definitions that have the name. */
  readonly definitionCount: number;
}

/** Time in ms after which no further file is parsed, for each of the two steps. */
const budgetMs = 15_000;
/** One thread parses; the next files are read meanwhile. */
const filesAtOnce = 4;

/** Occurrences of the name in one file. */
interface FileMatches {
  readonly matches: readonly Reference[];
  readonly definitions: readonly SymbolNode[];
}

/**
 * Returns the occurrences in code of the name of `target`, in the files of its server; syntax trees decide what is code,
 * see {@link parsedOccurrences}. A gap says that they are matches by name, and which files could not be searched.
 *
 * The target may be in a library; the files of the project are searched.
 *
 * @throws {ExpectedError} `server.refused` if the name is no identifier, or if the files cannot be parsed.
 */
export async function namedReferences(
  scope: NamedScope,
  target: SymbolNode,
  { kinds }: { kinds: KindFilter },
): Promise<NamedReferences> {
  const isLibrary = parseDependencyAddress(target.file) !== undefined;
  // Directories of libraries are in no project, whatever their names.
  const active = scope.files.sources.requireServer(isLibrary ? basename(target.file) : target.file);
  const name = nameOf(scope, target);
  const search = textSearch(scope, { active, name });
  if (search === undefined) throw noIdentifier(target);
  const { files, unread } = await search();
  const own = files.filter(({ path }) => scope.files.sources.serverOf(path) === active);
  const parsed = await parsedOccurrences(scope, own, { name, limitMs: budgetMs });
  const deadline = performance.now() + budgetMs;
  const left: string[] = [];
  const found = await mapConcurrently(parsed, filesAtOnce, async (file) => {
    const result = performance.now() > deadline ? undefined : await matchesIn(scope, { file, name, target });
    if (result === undefined) left.push(file.path);
    return result;
  });
  const matches = found.flatMap((one) => one?.matches ?? []).filter(({ symbol }) => acceptsKind(kinds, symbol.kind));
  const definitionCount = found.reduce((sum, one) => sum + (one?.definitions.length ?? 0), 0);
  if (definitionCount === 0 && !isLibrary) throw noIdentifier(target);
  scope.gaps.push(isLibrary ? libraryGap(name, definitionCount) : byNameGap(name, definitionCount));
  if (left.length > 0) {
    const reason = 'they could not be parsed in time, or not at all';
    scope.gaps.push({ missing: `Matches in ${namedFiles(left)} are missing`, reason, next: searchForName });
  }
  if (unread.length > 0) {
    const reason = `${namedFiles(unread)} may contain \`${name}\` but could not be read`;
    scope.gaps.push({ missing: 'Matches may be missing', reason, next: 'Search these files for the name' });
  }
  return { matches, definitionCount };
}

const searchForName = 'Call `search_for_pattern` with the name';

/** Some tables name a symbol by more than an identifier, such as Ruby's `:size`. */
function nameOf({ files }: SymbolScope, target: SymbolNode): string {
  const written = writtenName(target, files.textOf(target.file));
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(written) ? written : target.name;
}

interface FileQuestion {
  readonly file: FileIdentifiers;
  readonly name: string;
  readonly target: SymbolNode;
}

/** Returns the occurrences of a name in a file; `undefined` if it cannot be read or parsed. */
async function matchesIn(scope: NamedScope, question: FileQuestion): Promise<FileMatches | undefined> {
  try {
    return await parsedMatches(scope, question);
  } catch (error) {
    scope.call.signal.throwIfAborted();
    log('symbols').debug(`\`${question.file.path}\` is not searched by name: ${messageOf(error)}`);
    return undefined;
  }
}

async function parsedMatches(scope: NamedScope, { file, name, target }: FileQuestion): Promise<FileMatches> {
  const text = scope.files.textOf(file.path);
  const tree = await scope.trees.treeOf(file.path);
  const definitions = new Map<string, SymbolNode>();
  const declared = new Set<string>();
  visitTree(tree, (node) => {
    if (node.name !== target.name) return;
    const { line, character } = node.selectionRange.start;
    declared.add(positionKey(node.selectionRange.start));
    // The name of a symbol in Ruby's `attr_reader :name` begins one character later.
    declared.add(positionKey({ line, character: character + writtenName(node, text).indexOf(name) }));
    // Overloads are one symbol for a reader.
    definitions.set(namePathOf({ ...node, overloadIndex: undefined }), node);
  });
  const matches = file.places
    .filter((start) => !declared.has(positionKey(start)))
    .map((start) => {
      const { range } = placeAt(file.path, start, name.length);
      return { symbol: referencingSymbol({ file: file.path, text, tree }, range), range, text };
    });
  return { matches, definitions: [...definitions.values()] };
}

function byNameGap(name: string, definitionCount: number): Gap {
  const missing = `These are matches of the name \`${name}\` in code, not resolved references`;
  if (definitionCount === 1) {
    const reason = '1 definition in the project has this name';
    return { missing, reason, next: 'Read the lines: a match may belong to a library or to a local variable' };
  }
  const reason = `${counted(definitionCount, 'definition')} in the project have this name, so that only the number of matches in each file is given`;
  return { missing, reason, next: `${searchForName} to see the lines` };
}

function libraryGap(name: string, definitionCount: number): Gap {
  const own = definitionCount === 0 ? '' : `, and ${counted(definitionCount, 'definition')} in the project`;
  return {
    missing: `These are matches of the name \`${name}\` in the code of the project, not resolved references`,
    reason: `the definition is in a library${own}`,
    next: 'Read the lines: a match may mean something else',
  };
}

function noIdentifier({ name, file }: SymbolNode): ExpectedError {
  return new ExpectedError(
    'server.refused',
    `references to \`${name}\` in \`${file}\` cannot be found without a language server: syntax trees have no identifier of this name`,
    { hints: ['call `search_for_pattern` with the name'] },
  );
}
