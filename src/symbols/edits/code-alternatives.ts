import { ExpectedError } from '../../base/errors.ts';
import type { IdentifierResult } from '../../search/scan-protocol.ts';
import type { CodeMeaning, CodeNames, CodePlace } from '../../text/code-names.ts';
import { isSamePlace, type Place } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace, preOrder, rootOf, type SymbolNode } from '../model/symbol.ts';
import type { ReferencesQuestion } from '../occurrences/ledger.ts';
import { TargetInCode } from '../occurrences/target-in-code.ts';

/** What has to be renamed together with a symbol, besides its references. */
interface CodeAlternatives {
  /** Further definitions, whose references need the new name too. */
  readonly definitions: readonly SymbolNode[];
  /** Where the name has to be changed in declarations, definitions and lists of exported names. */
  readonly places: readonly Place[];
}

interface Renaming extends Pick<ReferencesQuestion, 'active' | 'target' | 'name'> {
  readonly text: IdentifierResult;
}

/**
 * Returns the further definitions and declarations of a symbol: those in stubs of the modules that define or re-export
 * it, and those that a module has for the case that it does not import the symbol.
 *
 * @throws {ExpectedError} `edit.refused` if a module or its stub gets the name from elsewhere as well; `server.*`.
 */
export async function codeAlternatives(scope: SymbolScope, renaming: Renaming): Promise<CodeAlternatives> {
  const { active, target, name, text } = renaming;
  const inCode = TargetInCode.of(scope, active, rootOf(target));
  if (inCode === undefined) return { definitions: [], places: [] };
  const files = text.files.map(({ path }) => path).filter((file) => scope.files.sources.serverOf(file) === active);
  if (target.parent !== undefined) return membersIn(scope, { target, inCode, files });
  const { names } = inCode;
  const known = meaningsOf(names, { files, name, places: inCode.places });
  requireAgreement(renaming, known);
  const declared = [...known.meanings.keys()].flatMap((file) => names.declarationsIn(file, name));
  const definitions = [];
  for (const place of known.places) definitions.push(...(await nodesAt(scope, place)));
  const places = [...known.places, ...declared].flatMap((place) => locationOf(scope, place, name) ?? []);
  return {
    definitions: definitions.filter((node) => !isSameDeclaration(node, target)),
    // The server has to rename the target itself.
    places: places.filter((place) => !isSamePlace(place, namePlace(target))),
  };
}

/** Files whose name means the symbol, with what it means there, and all places that it means. */
interface NameMeanings {
  readonly name: string;
  readonly names: CodeNames;
  readonly files: readonly string[];
  readonly meanings: ReadonlyMap<string, CodeMeaning>;
  readonly places: readonly CodePlace[];
}

/** A module may import one definition or make its own: both get the new name, and so does what leads to either. */
function meaningsOf(
  names: CodeNames,
  { files, name, places }: { files: readonly string[]; name: string; places: readonly CodePlace[] },
): NameMeanings {
  const meanings = new Map<string, CodeMeaning>();
  const all = new Map(places.map((place) => [keyOf(place), place]));
  const join = () => {
    for (const file of files) {
      const meaning = meanings.has(file) ? undefined : names.meaningIn(file, name);
      if (!meaning?.places.some((place) => all.has(keyOf(place)))) continue;
      meanings.set(file, meaning);
      for (const place of meaning.places) all.set(keyOf(place), place);
      return true;
    }
    return false;
  };
  while (join());
  return { name, names, files, meanings, places: [...all.values()] };
}

/** Refuses a rename after which a module or its stub would have the old name, or the new one from nowhere. */
function requireAgreement({ target }: Renaming, { name, names, files, meanings }: NameMeanings): void {
  for (const [file, { isComplete }] of meanings) {
    if (!isComplete) {
      throw refusal(target, `\`${file}\` also imports \`${name}\` from a module that is not in the project`);
    }
    const twin = file.endsWith('.pyi') ? file.slice(0, -1) : `${file}i`;
    if (meanings.has(twin) || !files.includes(twin)) continue;
    const { places } = names.meaningIn(twin, name);
    if (places.length === 0) continue;
    const [stub, code] = file.endsWith('.pyi') ? [file, twin] : [twin, file];
    throw refusal(target, `\`${name}\` of the stub \`${stub}\` is another symbol than that of \`${code}\``);
  }
}

function refusal(target: SymbolNode, reason: string): ExpectedError {
  return new ExpectedError('edit.refused', `cannot rename \`${namePathOf(target)}\`: ${reason}`, {
    hints: ['call `find_referencing_symbols` and edit each reference'],
  });
}

/** Returns the members of the same name path in further declarations of the symbol that contains the target. */
async function membersIn(
  scope: SymbolScope,
  { target, inCode, files }: { target: SymbolNode; inCode: TargetInCode; files: readonly string[] },
): Promise<CodeAlternatives> {
  const root = rootOf(target).name;
  const definitions: SymbolNode[] = [];
  for (const file of files) {
    if (file === target.file || !inCode.isOwn(inCode.names.meaningIn(file, root))) continue;
    const tree = await scope.files.treeOf(file, scope.call);
    definitions.push(...preOrder(tree).filter((node) => nameOnlyPath(node) === nameOnlyPath(target)));
  }
  const places = definitions.map(({ file, selectionRange: range }) => ({ file, range }));
  return { definitions, places };
}

/** Returns the name path without numbers: a stub may have overloads where the module has one function. */
function nameOnlyPath(symbol: SymbolNode): string {
  return namePathOf(symbol).replaceAll(/\[\d+\]/g, '');
}

function isSameDeclaration(node: SymbolNode, target: SymbolNode): boolean {
  return node.file === target.file && node.name === target.name;
}

async function nodesAt(scope: SymbolScope, { file, offset }: CodePlace): Promise<SymbolNode[]> {
  const { text, starts } = scope.files.textOf(file);
  return symbolsNamedAt(await scope.files.treeOf(file, scope.call), [positionAt(text, starts, offset)]);
}

function locationOf(scope: SymbolScope, { file, offset }: CodePlace, name: string): Place | undefined {
  const { text, starts } = scope.files.textOf(file);
  if (!text.startsWith(name, offset)) return undefined;
  const [start, end] = [positionAt(text, starts, offset), positionAt(text, starts, offset + name.length)];
  return { file, range: { start, end } };
}

function keyOf({ file, offset }: CodePlace): string {
  return `${file}:${offset}`;
}
