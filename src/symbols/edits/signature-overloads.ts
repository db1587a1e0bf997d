import type { Edits } from '../../edits/edits.ts';
import { type Place, placeAt, placeKey } from '../../text/place.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';
import { textSearch } from '../model/text-search.ts';
import { typesInHeader } from '../queries/neighbors.ts';
import { identifierOf } from './edited-symbol.ts';
import { byPosition } from './signature-change.ts';
import { force, type SignatureTask, signatureRefused } from './signature-plan.ts';
import { isDeclaration, type Sited, sitesAt } from './signature-sites.ts';

/** Numbers of arguments that a function takes. */
interface ArgumentCounts {
  readonly least: number;
  readonly most: number;
}

interface Taken {
  readonly is: Parameters<typeof byPosition>[0];
  readonly isOptional: boolean;
}

function countsOf(parameters: readonly Taken[]): ArgumentCounts {
  const positional = parameters.filter(({ is }) => byPosition(is));
  const hasRest = parameters.some(({ is }) => is === 'rest');
  const least = positional.filter(({ isOptional }) => !isOptional).length;
  return { least, most: hasRest ? Number.POSITIVE_INFINITY : positional.length };
}

/** What a declaration belongs to. */
interface Owner {
  /** Name of the type; empty for a function outside of types. */
  readonly type: string;
  /** Names in the header of the type. */
  readonly above: readonly string[];
}

/**
 * Fails if a call could mean another function of the same name after a change: one of the same type, or of one directly above
 * or below, that takes as many arguments. Compilers accept such calls, so that nothing would report them.
 *
 * @throws {ExpectedError} `edit.refused`, `server.*`.
 */
export async function refuseOverloads(
  scope: SymbolScope,
  edits: Edits,
  { task, declared }: { task: SignatureTask; declared: readonly Sited[] },
): Promise<void> {
  const { active, target, change } = task;
  const name = identifierOf(target);
  const isSame = change.entries.every(({ origin, added }, index) => added === undefined && origin === index);
  if (isSame && change.removed.length === 0) return;
  const text = await textSearch(scope, { active, name })?.();
  const places = (text?.files ?? []).flatMap(({ path, places: own }) =>
    own.map((position) => placeAt(path, position, name.length)),
  );
  const known = new Set(declared.map(({ place }) => placeKey(place)));
  const others = (await sitesAt(scope, edits, { active, places })).filter(isDeclaration);
  const unknown = others.filter(({ place }) => !known.has(placeKey(place)));
  const counts = countsOf(change.entries);
  const clashing = unknown.filter(({ site }) => {
    const { least, most } = countsOf(site.parameters);
    return least <= counts.most && counts.least <= most;
  });
  if (clashing.length === 0) return;
  const owners = await Promise.all(declared.map((one) => ownerOf(scope, one)));
  for (const one of clashing) {
    const owner = await ownerOf(scope, one);
    if (!owners.some((own) => isRelated(own, owner))) continue;
    const { file, range } = one.place;
    const reason = `calls could then mean another \`${name}\`, at \`${file}:${range.start.line}\` (0-based line)`;
    throw signatureRefused(target.symbol, reason, [force]);
  }
}

function isRelated(a: Owner, b: Owner): boolean {
  return a.type === b.type || a.above.includes(b.type) || b.above.includes(a.type);
}

async function ownerOf(scope: SymbolScope, { place, draft }: Sited): Promise<Owner> {
  const { file, range }: Place = place;
  const [symbol] = symbolsNamedAt(await scope.files.treeOf(file, scope.call), [range.start]);
  const type: SymbolNode | undefined = symbol?.parent;
  const start = spanOf(draft.lines, range)?.start ?? 0;
  const qualifier = /([\p{L}\p{N}_]+)(?:<[^<>]*>)?::\s*$/u.exec(draft.text.slice(Math.max(0, start - 200), start))?.[1];
  if (qualifier !== undefined) return { type: qualifier, above: [] };
  if (type === undefined) return { type: '', above: [] };
  return { type: type.name, above: typesInHeader(scope, type).map((one) => one.name) };
}
