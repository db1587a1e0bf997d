import { mapConcurrently } from '../../base/concurrent.ts';
import { messageOf } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { positionParams, readPlaces, requestDefinition } from '../../lsp/features/locations.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { FurtherRenaming } from '../../symbols/adapter.ts';
import { textAt } from '../../symbols/edits/edited-symbol.ts';
import { inFlightPerServer } from '../../symbols/model/file-symbols.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { namePlace } from '../../symbols/model/symbol.ts';
import type { NameQuestion } from '../../symbols/occurrences/ledger.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { comparePositions, isOutside, isSamePlace, type Place, placeAt, placeKey } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import { erasure, type JavaMethod, type JavaType } from './types.ts';

const primitives: readonly string[] = ['boolean', 'byte', 'char', 'short', 'int', 'long', 'float', 'double'];

/** Methods that belong together, at their names. */
interface RelatedMethods {
  readonly above: readonly Place[];
  /** Others of the same name, with what they override. */
  readonly others: readonly { readonly place: Place; readonly above: readonly Place[] }[];
}

/** A method that may override another one. */
interface Candidate extends Declared {
  readonly file: string;
}

interface Declared {
  readonly type: JavaType;
  readonly method: JavaMethod;
}

/**
 * jdtls 1.59 leaves some methods out of the implementations of a method, and out of its rename:
 *
 * ```java
 * abstract class Adapter<T> { abstract void write(T value); }
 * class Dates<T extends Date> extends Adapter<T> { void write(Date value) {} }   // a bound in place of `T`
 * static { first = new Adapter<Day>() { void write(Day value) {} }; }            // anonymous, in another file
 * ```
 *
 * Returns what a method overrides, directly or not, and the methods of the same name that may override it or the same
 * methods, each with what it overrides. Leaves out those that `isKnown` is true for.
 *
 * @throws {ExpectedError} `server.*`.
 */
async function relatedMethods(
  scope: SymbolScope,
  question: NameQuestion,
  isKnown: (place: Place) => boolean,
): Promise<RelatedMethods> {
  const { server, target } = question;
  if (target.kind !== kinds.method || target.parent === undefined) return { above: [], others: [] };
  const asked = new Map<string, Promise<readonly Place[]>>();
  const directlyAbove = async (place: Place): Promise<readonly Place[]> => {
    if (isOutside(place)) return [];
    const answer = asked.get(placeKey(place)) ?? askShown(scope, server, place, requestOverridden);
    asked.set(placeKey(place), answer);
    return answer;
  };
  const candidates = await overrideCandidates(scope, question, isKnown);
  return {
    above: await allAbove(namePlace(target), directlyAbove),
    others: await mapConcurrently(candidates, inFlightPerServer, async (candidate) => {
      const { file, method } = candidate;
      const place = placeAt(file, method.start, method.name.length);
      const above = await allAbove(place, directlyAbove);
      // jdtls 1.59 says nothing about some methods after a change of what they override; a mark says that they do.
      const isUnknown = above.length === 0 && method.isMarked;
      return { place, above: isUnknown && (await inherits(scope, question, candidate)) ? [namePlace(target)] : above };
    }),
  };
}

/** True if the type of a method extends or implements that of the target, directly or not. */
async function inherits(
  scope: SymbolScope,
  { server, target }: NameQuestion,
  { file, type }: Candidate,
): Promise<boolean> {
  const { parent } = target;
  if (parent === undefined) return false;
  const seen = new Set<string>();
  const pending = type.bases.map((start) => placeAt(file, start));
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    if (seen.has(placeKey(one))) continue;
    seen.add(placeKey(one));
    for (const place of (await askShown(scope, server, one, requestDefinition)).locations) {
      if (isOutside(place)) continue;
      // `new Type() { … }` leads to a constructor, which has the type's name.
      const name = textAt(scope, place);
      if (place.file === parent.file && name === parent.name) return true;
      const length = name?.length;
      const types = await typesIn(scope, place.file);
      const bases = types.filter(({ start }) => textAt(scope, placeAt(place.file, start, length)) === name);
      pending.push(...bases.flatMap((base) => base.bases.map((start) => placeAt(place.file, start))));
    }
  }
  return false;
}

/** Asks about a place in an open document: jdtls reads closed files late after a change. */
function askShown<T>(
  scope: SymbolScope,
  server: LanguageServer,
  place: Place,
  ask: (server: LanguageServer, place: Place, limits: RequestLimits) => Promise<T>,
): Promise<T> {
  return server.documents.holding(place.file, async () => {
    await scope.files.show(server, place.file, scope.call);
    return ask(server, place, scope.files.limits(scope.call));
  });
}

/** jdtls 1.59 answers `java/findLinks` with the method that one overrides; a request of its own. */
async function requestOverridden(
  server: LanguageServer,
  place: Place,
  limits: RequestLimits,
): Promise<readonly Place[]> {
  const params = { type: 'superImplementation', position: positionParams(server, place) };
  return readPlaces(server, await server.request('java/findLinks', params, limits));
}

/**
 * Returns the methods that override a method, and that jdtls leaves out of its implementations, which are `found`.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function omittedOverrides(
  scope: SymbolScope,
  question: NameQuestion,
  found: readonly Place[],
): Promise<Place[]> {
  const listed = new Set(found.map(placeKey));
  const { others } = await relatedMethods(scope, question, (place) => listed.has(placeKey(place)));
  const target = namePlace(question.target);
  return others.flatMap(({ place, above }) => (above.some((one) => isSamePlace(one, target)) ? [place] : []));
}

/**
 * Returns the steps of a rename with those for the methods that override the renamed one, or that it overrides, and that
 * jdtls leaves out.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function withOmittedOverrides(
  scope: SymbolScope,
  question: NameQuestion,
  renaming: FurtherRenaming,
): Promise<WorkspaceStep[]> {
  const { isChanged, rename, newName } = renaming;
  const steps = [...renaming.steps];
  const isRenamed = (place: Place) => isChanged(place, renaming.steps);
  const { above, others } = await relatedMethods(scope, question, isRenamed);
  const own = [namePlace(question.target), ...above];
  const isOwn = (place: Place) => isRenamed(place) || own.some((one) => isSamePlace(one, place));
  const below = others.flatMap((one) => (one.above.some(isOwn) ? [one.place] : []));
  for (const { file, range } of [...above.filter((place) => !isOutside(place)), ...below]) {
    if (isChanged({ file, range }, steps)) continue;
    // The method itself may be missing even in its own rename.
    const declaration: WorkspaceStep = { do: 'edit', file, edits: [{ range, newText: newName }] };
    for (const step of [...(await rename({ file, range })), declaration]) {
      if (step.do !== 'edit') continue;
      const edits = step.edits.filter((edit) => !isChanged({ file: step.file, range: edit.range }, steps));
      steps.push({ ...step, edits });
    }
  }
  return steps;
}

/** Returns what a method overrides, what that overrides, and so on. */
async function allAbove(method: Place, above: (place: Place) => Promise<readonly Place[]>): Promise<Place[]> {
  const found = new Map<string, Place>();
  const pending = [method];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    for (const place of await above(one)) {
      if (found.has(placeKey(place))) continue;
      found.set(placeKey(place), place);
      pending.push(place);
    }
  }
  return [...found.values()];
}

/** Returns the unknown methods of the same name that may override the target or be overridden. */
async function overrideCandidates(
  scope: SymbolScope,
  { active, target, text }: NameQuestion,
  isKnown: (place: Place) => boolean,
): Promise<Candidate[]> {
  const overridden = methodAt(await typesIn(scope, target.file), target.selectionRange.start);
  const occurrences = overridden && (await text?.());
  if (overridden === undefined || occurrences === undefined) return [];
  const found: Candidate[] = [];
  for (const { path: file, places } of occurrences.files) {
    if (scope.files.sources.serverOf(file) !== active) continue;
    const unknown = places.filter((start) => !isKnown(placeAt(file, start)));
    if (unknown.length === 0) continue;
    const types = await typesIn(scope, file);
    for (const start of unknown) {
      const other = methodAt(types, start);
      if (other === undefined || other.method === overridden.method) continue;
      if (mayOverride(overridden, other.method) || mayOverride(other, overridden.method))
        found.push({ ...other, file });
    }
  }
  return found;
}

/** True unless the types of the parameters are certainly different after erasure. */
function mayOverride({ type, method }: Declared, { parameters }: JavaMethod): boolean {
  const variables = new Set([...type.variables, ...method.variables]);
  return (
    parameters.length === method.parameters.length &&
    method.parameters.every((written, index) => {
      const [own, other] = [simpleName(written), simpleName(parameters[index] ?? '')];
      const [element = ''] = own.split('[');
      return variables.has(element) ? !primitives.includes(other) : own === other;
    })
  );
}

function simpleName(type: string): string {
  const bare = erasure(type);
  return bare.slice(bare.lastIndexOf('.') + 1);
}

function methodAt(types: readonly JavaType[], start: Position): Declared | undefined {
  const all = types.flatMap((type) => type.methods.map((method) => ({ type, method })));
  return all.find(({ method }) => method.isVirtual && comparePositions(method.start, start) === 0);
}

async function typesIn(scope: SymbolScope, file: string): Promise<readonly JavaType[]> {
  try {
    return await syntaxTrees.javaTypes(scope.files.textOf(file).text);
  } catch (error) {
    scope.call.signal.throwIfAborted();
    const reason = `${namedFiles([file])} cannot be parsed: ${messageOf(error)}`;
    scope.gaps.push({ missing: 'Implementations may be missing', reason, next: 'Read the file' });
    return [];
  }
}
