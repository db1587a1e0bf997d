import { requestDefinition } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { firstAttachedLine } from '../../text/definition-syntax.ts';
import { lineText } from '../../text/lines.ts';
import { comparePositions, type Place, placeAt } from '../../text/place.ts';
import { offsetAt, type Position } from '../../text/position.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { startOfLine } from '../model/text-range.ts';
import { derivedNamesIn } from './implementations-by-inheritance.ts';
import { keepProjectLocations } from './project-locations.ts';

/** The base classes of a class. */
export interface BaseClasses {
  /** Those in the project's sources. */
  readonly classes: readonly SymbolNode[];
  /** Those outside: expressions of the class's header, by where they lead. */
  readonly outside: ReadonlyMap<string, string>;
  /** Expressions of the header that the server does not resolve. */
  readonly unknown: readonly string[];
}

/** A member of a base class outside the project. */
export interface InheritedMember {
  readonly name: string;
  /** The expression that leads to the base class. */
  readonly base: string;
  readonly location: Place;
}

/** `Base = Other` may lead to a further assignment. */
const maxAliases = 4;

/** Returns the direct base classes of a class of Python. @throws {ExpectedError} `server.*`. */
export async function basesOf(scope: SymbolScope, active: ActiveServer, type: SymbolNode): Promise<BaseClasses> {
  const { start } = type.selectionRange;
  const derived = (await derivedNamesIn(scope, type.file)).filter(({ name }) => comparePositions(name, start) === 0);
  const classes: SymbolNode[] = [];
  const outside = new Map<string, string>();
  const unknown: string[] = [];
  for (const { base, how } of derived) {
    const written = expressionAt(scope, type.file, base);
    const led = how === 'inherits' ? await follow(scope, active, placeAt(type.file, base)) : undefined;
    if (led === undefined) unknown.push(written);
    else if (typeof led === 'string') outside.set(led, written);
    else classes.push(led);
  }
  return { classes, outside, unknown };
}

/** Returns the class that a name leads to, a key for a place outside the project, or `undefined`. */
async function follow(scope: SymbolScope, active: ActiveServer, from: Place): Promise<SymbolNode | string | undefined> {
  let at = from;
  for (let step = 0; step < maxAliases; step++) {
    const locations = await definitionsAt(scope, active, at);
    const [first] = locations;
    if (first === undefined) return undefined;
    const kept = await keepProjectLocations(scope, locations);
    if (kept.length === 0) return `${first.file}:${first.range.start.line}`;
    let next: Place | undefined;
    for (const { file, range } of kept) {
      const [symbol] = symbolsNamedAt(await scope.files.treeOf(file, scope.call), [range.start]);
      if (symbol?.kind === kinds.class) return symbol;
      const renamed = (await derivedNamesIn(scope, file)).find(
        ({ name, how }) => how === 'renames' && comparePositions(name, range.start) === 0,
      );
      if (renamed !== undefined) next = placeAt(file, renamed.base);
    }
    if (next === undefined) return undefined;
    at = next;
  }
  return undefined;
}

async function definitionsAt(scope: SymbolScope, active: ActiveServer, place: Place): Promise<readonly Place[]> {
  return await scope.files.ask(active, scope.call, async (server) => {
    await scope.files.show(server, place.file, scope.call);
    return (await requestDefinition(server, place, scope.files.limits(scope.call))).locations;
  });
}

/** Returns the name at a position with its qualifiers: `threading.Thread` at `Thread`. */
function expressionAt(scope: SymbolScope, file: string, position: Position): string {
  const { text, starts } = scope.files.textOf(file);
  const offset = offsetAt(text, starts, position) ?? text.length;
  const before = /(?:[\p{L}_][\p{L}\p{N}_]*\.)*$/u.exec(text.slice(Math.max(0, offset - 200), offset))?.[0] ?? '';
  return before + (/^[\p{L}\p{N}_]*/u.exec(text.slice(offset, offset + 200))?.[0] ?? '');
}

/**
 * Returns the members with some names that base classes outside the project have or inherit. The language server itself
 * resolves them, on a function that it receives above the class for that time: files outside are not read.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function inheritedFromOutside(
  scope: SymbolScope,
  active: ActiveServer,
  { type, bases, names }: { type: SymbolNode; bases: readonly string[]; names: readonly string[] },
): Promise<InheritedMember[]> {
  const lines = scope.files.textOf(type.file);
  const { line } = type.range.start;
  const written = lineText(lines.text, lines.starts, line) ?? '';
  const indentation = /^\s*/.exec(written)?.[0] ?? '';
  const probes = bases.flatMap((base, index) => names.map((name) => ({ base, name, value: `_${index}` })));
  const parameters = bases.map((base, index) => `_${index}: ${base}`).join(', ');
  let probe = `${indentation}def _(${parameters}): `;
  const columns = probes.map(({ value, name }) => {
    probe += `${value}.`;
    const column = probe.length;
    probe += `${name}; `;
    return column;
  });
  const above = firstAttachedLine(lines, line, 'python');
  const at = startOfLine(lines, above);
  const texts = new Map([[type.file, `${lines.text.slice(0, at)}${probe}\n${lines.text.slice(at)}`]]);
  return await scope.files.tryTexts(active, scope.call, texts, async () => {
    const found: InheritedMember[] = [];
    for (const [index, { base, name }] of probes.entries()) {
      const position = { line: above, character: columns[index] ?? 0 };
      const [location] = await definitionsAt(scope, active, placeAt(type.file, position));
      if (location !== undefined) found.push({ name, base, location });
    }
    return found;
  });
}
