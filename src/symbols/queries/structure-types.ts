import { mapConcurrently } from '../../base/concurrent.ts';
import type { GapPlace } from '../../base/gap.ts';
import { requestDefinition, requestTypeDefinition } from '../../lsp/features/locations.ts';
import { contains, type Place, placeKey } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { symbolAt } from '../model/at-position.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import { isCallable } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { findImplementations } from './implementations.ts';
import { uniqueSymbol } from './one-symbol.ts';
import { lineOf } from './report-open.ts';
import type { FileMatches, VariableMeaning } from './structure-query.ts';

/** A variable, and the types that the code it stands for may have. */
interface TypeCondition {
  readonly variable: string;
  readonly types: readonly SymbolNode[];
}

/** A piece of code that a variable stands for. */
interface Expression {
  readonly file: string;
  readonly text: TextLines;
  readonly start: number;
  readonly end: number;
}

/** `why`: why the language server does not know the type, as a clause. */
type Verdict = boolean | { readonly why: string };

/**
 * Returns the matches in which variables have the types that conditions name. The language server knows the type of what
 * ends with a name, such as `a.b`; other matches become a gap.
 *
 * @throws {ExpectedError} errors of {@link uniqueSymbol} and {@link findImplementations}; `server.*`.
 */
export async function withTypes(
  scope: SymbolScope,
  found: readonly FileMatches[],
  conditions: readonly VariableMeaning[],
): Promise<readonly FileMatches[]> {
  if (conditions.length === 0) return found;
  const types = await Promise.all(conditions.map((one) => conditionOf(scope, one)));
  const open: GapPlace[] = [];
  const kept = await mapConcurrently(found, 1, async ({ file, text, matches }) => {
    const verdicts = await mapConcurrently(matches, inFlightPerServer, async ({ bindings }) => {
      for (const { variable, types: allowed } of types) {
        const bound = bindings.find(({ name }) => name === variable);
        if (bound === undefined) return false;
        const verdict = await hasType(scope, { file, text, ...bound }, allowed);
        if (typeof verdict === 'boolean') {
          if (verdict) continue;
          return false;
        }
        const range = {
          start: positionAt(text.text, text.starts, bound.start),
          end: positionAt(text.text, text.starts, bound.end),
        };
        open.push({ file, line: range.start.line, text: lineOf(scope, { file, range }), why: verdict.why });
        return false;
      }
      return true;
    });
    return { file, text, matches: matches.filter((_, index) => verdicts[index]) };
  });
  if (open.length > 0)
    scope.gaps.push({
      missing: 'Matches may be missing',
      reason: 'the types of some variables are not known',
      next: 'Look at these lines',
      places: open,
    });
  return kept.filter(({ matches }) => matches.length > 0);
}

async function conditionOf(
  scope: SymbolScope,
  { variable, by, namePath, relativePath }: VariableMeaning,
): Promise<TypeCondition> {
  const type = await uniqueSymbol(scope, namePath, relativePath);
  const all = { include: [], exclude: [] };
  const below = by === 'implements' ? await findImplementations(scope, type, { kinds: all }) : [];
  return { variable, types: [type, ...below] };
}

async function hasType(scope: SymbolScope, code: Expression, types: readonly SymbolNode[]): Promise<Verdict> {
  const { files, call } = scope;
  const { file, text } = code;
  const name = /[\p{L}\p{N}_$]+$/u.exec(text.text.slice(code.start, code.end))?.[0];
  if (name === undefined || /^\d/.test(name)) return { why: 'the code does not end with a name' };
  const position = positionAt(text.text, text.starts, code.end - name.length);
  const place = { file, range: { start: position, end: position } };
  const active = files.sources.requireServer(file);
  const { typed, defined } = await files.ask(active, call, async (server) => {
    await files.show(server, file, call);
    const limits = files.limits(call);
    const typed = (await requestTypeDefinition(server, place, limits)).locations;
    return { typed, defined: typed.length === 0 ? [] : (await requestDefinition(server, place, limits)).locations };
  });
  if (typed.length === 0) return { why: 'the language server names no type' };
  if (!typed.some((one) => types.some((type) => isOf(type, one)))) return false;
  // A type or a function by its name is no value of the type.
  const own = new Set(typed.map(placeKey));
  if (defined.some((one) => own.has(placeKey(one)))) return false;
  return !(await isFunction(scope, defined));
}

function isOf({ file, range }: SymbolNode, place: Place): boolean {
  return place.file === file && contains(range, place.range.start);
}

async function isFunction(scope: SymbolScope, [defined]: readonly Place[]): Promise<boolean> {
  if (defined === undefined || scope.files.sources.serverOf(defined.file) === undefined) return false;
  const symbol = symbolAt(await scope.files.treeOf(defined.file, scope.call), defined.range.start);
  return symbol !== undefined && isCallable(symbol);
}
