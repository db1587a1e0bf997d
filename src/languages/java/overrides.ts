import { mapConcurrently } from '../../base/concurrent.ts';
import { messageOf } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { requestImplementations } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { inFlightPerServer } from '../../symbols/model/file-symbols.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { namePlace, type SymbolNode } from '../../symbols/model/symbol.ts';
import { syntaxLanguageOf } from '../../symbols/model/syntax-language.ts';
import { linesOf } from '../../symbols/queries/all-references.ts';
import { keepProjectLocations } from '../../symbols/queries/project-locations.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { comparePlaces, comparePositions, contains, keyAt, type Place, placeAt, placeKey } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import type { JavaMethod, JavaType } from './types.ts';

const primitives: readonly string[] = ['boolean', 'byte', 'char', 'short', 'int', 'long', 'float', 'double'];

/** The answer to an implementations query. */
interface Answer {
  readonly active: ActiveServer;
  readonly server: LanguageServer;
  /** In an open document. */
  readonly target: SymbolNode;
  readonly found: readonly Place[];
}

/** A method with the type that declares it. */
interface Declared {
  readonly type: JavaType;
  readonly method: JavaMethod;
}

/**
 * jdtls lists a type among the implementations of an interface, but not all of its overriding methods among those of the
 * interface's method:
 *
 * ```java
 * interface Visitor<T> { void visit(T node); }
 * class Printer implements Visitor<Leaf> {
 *   public void visit(Leaf node) {} }   // may be missing among the implementations of `Visitor.visit`
 * ```
 *
 * Adds a gap for the methods of listed types that have the same name and whose parameters may have the same types.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function reportOmittedOverrides(scope: SymbolScope, answer: Answer): Promise<void> {
  const { active, server, target, found } = answer;
  const { file, parent, selectionRange } = target;
  if (target.kind !== kinds.method || parent === undefined || syntaxLanguageOf(active.spec, file) !== 'java') return;
  const overridden = methodAt(await typesIn(scope, file), selectionRange.start);
  if (overridden === undefined) return;
  const subtypes = await requestImplementations(server, namePlace(parent), scope.files.limits(scope.call));
  const byFile = [...Map.groupBy(await keepProjectLocations(scope, subtypes), (one) => one.file)];
  const listed = new Set(found.map(placeKey));
  const omitted = await mapConcurrently(byFile, inFlightPerServer, async ([one, own]) => {
    const isListed = ({ start }: JavaMethod) => listed.has(keyAt(one, start));
    const types = (await typesIn(scope, one)).filter(({ start }) => own.some(({ range }) => contains(range, start)));
    return types.flatMap((type) => omittedIn(type, overridden, isListed).map(({ start }) => placeAt(one, start)));
  });
  const lines = omitted.flat().sort(comparePlaces);
  if (lines.length === 0) return;
  scope.gaps.push({
    missing: 'Implementations may be missing',
    reason: `the language server does not list what may implement \`${overridden.method.name}\`: ${linesOf(lines)}`,
    next: 'Read these lines',
  });
}

/** Returns the methods of a type that may override a method. None does if the server lists one that does. */
function omittedIn(type: JavaType, overridden: Declared, isListed: (method: JavaMethod) => boolean): JavaMethod[] {
  const named = type.methods.filter(({ name }) => name === overridden.method.name);
  if (type === overridden.type || named.some((method) => isListed(method))) return [];
  return named.filter((method) => mayOverride(overridden, method));
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

/** Returns a type as written without annotations, arguments, spaces, and qualifier. */
function simpleName(type: string): string {
  let bare = type.replace(/@[\w.]+(?:\([^()]*\))?/g, '').replace(/\s+/g, '');
  for (let last = ''; last !== bare; ) {
    last = bare;
    bare = bare.replace(/<[^<>]*>/g, '');
  }
  return bare.slice(bare.lastIndexOf('.') + 1);
}

function methodAt(types: readonly JavaType[], start: Position): Declared | undefined {
  const all = types.flatMap((type) => type.methods.map((method) => ({ type, method })));
  return all.find(({ method }) => comparePositions(method.start, start) === 0);
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
