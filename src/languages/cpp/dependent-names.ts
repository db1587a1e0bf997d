import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { requestDefinition, requestTypeDefinition } from '../../lsp/features/locations.ts';
import { symbolsNamedAt } from '../../symbols/model/at-position.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import { readable, type SymbolScope } from '../../symbols/model/scope.ts';
import { namePlace, type SymbolNode } from '../../symbols/model/symbol.ts';
import type { Judge, SymbolQuestion } from '../../symbols/occurrences/ledger.ts';
import type { Occurrence } from '../../symbols/occurrences/occurrence.ts';
import { keepProjectLocations } from '../../symbols/queries/project-locations.ts';
import { unlessRefused } from '../../symbols/queries/requests.ts';
import { isOutside, isSamePlace, type Place, placeAt } from '../../text/place.ts';
import { offsetAt, positionAt } from '../../text/position.ts';

const types: readonly number[] = [kinds.class, kinds.struct, kinds.interface];

/** Returns the type that declares a member; the names of an enumeration in a type are members of the type as well. */
export function declaringType({ parent }: Pick<SymbolNode, 'parent'>): SymbolNode | undefined {
  const around = parent?.kind === kinds.enum ? parent.parent : parent;
  return around !== undefined && types.includes(around.kind) ? around : undefined;
}

/** True if a type is a specialization of a template: `Traits<int>`, `Traits<Text<T>>`. */
function isSpecialization({ name }: SymbolNode): boolean {
  return name.includes('<');
}

/**
 * True if two members have the same name in different declarations of a template, its primary one and specializations:
 * which of them `Traits<T>::name` means depends on `T`.
 */
export function isAlternativeMember(one: SymbolNode, other: SymbolNode): boolean {
  const [type, otherType] = [declaringType(one), declaringType(other)];
  if (type === undefined || otherType === undefined || one.name !== other.name) return false;
  return type.name !== otherType.name && templateOf(type) === templateOf(otherType);
}

function templateOf({ name }: SymbolNode): string {
  return name.replace(/\s*<.*$/s, '').replace(/^.*::/s, '');
}

/** Text before a name that is searched for its qualifier, or for the beginning of its declaration. */
const maxChars = 200;
const qualifierAtEnd = /(?<word>[\p{L}_][\p{L}\p{N}_]*)\s*(?:\.|->|::)\s*$/u;
/** `template <class Name`, `, Concept<int> Name`; a class is declared after neither `<` nor `,`. */
const parameterAtEnd = /[<,]\s*(?:typename|class|[\p{L}_][\p{L}\p{N}_:]*(?:<[^<>]*>)?)\s*(?:\.\.\.)?\s*$/u;

/** The type of what stands before a name: of `value` in `value.name`, or `Type` in `Type::name`. */
interface QualifierType {
  /** Where it is declared. */
  readonly locations: readonly Place[];
  /** True if it is a parameter of a template, so that any type may stand for it. */
  readonly isParameter: boolean;
}

/**
 * Returns the type of the qualifier of an occurrence in an open C++ document; `undefined` if no name is before the
 * occurrence, or if the server does not know the type.
 *
 * @throws {ExpectedError} `server.*`, `file.*`.
 */
export async function qualifierType(
  scope: SymbolScope,
  server: LanguageServer,
  { file, range }: Place,
): Promise<QualifierType | undefined> {
  const { text, starts } = scope.files.textOf(file);
  const offset = offsetAt(text, starts, range.start);
  const before = offset === undefined ? null : qualifierAtEnd.exec(text.slice(Math.max(0, offset - maxChars), offset));
  if (offset === undefined || before === null) return undefined;
  const place = placeAt(file, positionAt(text, starts, offset - before[0].length));
  const { locations } = await requestTypeDefinition(server, place, scope.files.limits(scope.call));
  if (locations.length === 0) return undefined;
  return { locations, isParameter: locations.some((location) => isTemplateParameter(scope, location)) };
}

/** True if a template's parameter is declared at a location of the project. */
function isTemplateParameter(scope: SymbolScope, place: Place): boolean {
  const read = isOutside(place) ? undefined : readable(scope, place.file);
  const offset = read && offsetAt(read.text, read.starts, place.range.start);
  return offset !== undefined && parameterAtEnd.test(read?.text.slice(Math.max(0, offset - maxChars), offset) ?? '');
}

/**
 * clangd resolves no names that depend on a template's parameters, or treats the parameter's default as the parameter, or
 * the primary template as a specialization:
 *
 * ```cpp
 * template <class T> struct Traits { static int size(); };
 * template <> struct Traits<int> { static int size(); };
 * template <class T> int both() { return Traits<T>::size(); }   // may be either of them
 * ```
 *
 * Decides occurrences of a member's name by the type of their qualifier, where the server's definition says that they are
 * something else, or nothing. `Base::name` is the target if `Base` names the type that declares it; `Parameter::name` and
 * `Specialized<Parameter>::name` may be.
 */
export const dependentNameJudge: Judge<SymbolScope> = {
  name: 'dependent name',
  open: async (scope, inquiry) => {
    const { active, server, target } = inquiry;
    const owner = declaringType(target);
    const hasDependentNames = active.spec.adapter?.isDependentName !== undefined;
    if (!hasDependentNames || owner === undefined || !server.supports('textDocument/typeDefinition')) return undefined;
    return async (candidate) => {
      if (candidate.isListed || candidate.qualifier === '') return undefined;
      const ruling = await candidate.byDefinition();
      if (ruling?.verdict === 'own') return ruling;
      return unlessRefused(async () => {
        const type = await qualifierType(scope, server, candidate);
        if (ruling?.verdict === 'other') {
          const mayBeOwn = type?.isParameter === true || (await mayBeSpecialized(scope, inquiry, candidate));
          return mayBeOwn ? dependent : undefined;
        }
        return type?.locations.some((place) => isSamePlace(place, namePlace(owner))) ? qualified : undefined;
      });
    };
  },
};

const dependent = { verdict: 'open', reason: 'it depends on the parameters of a template' } as const;
const qualified = { verdict: 'own', reason: 'its qualifier is the type that declares the symbol' } as const;

/**
 * True if an occurrence depends on the parameters of a template, and the server leads it to a member of the target's
 * name in another declaration of the target's type.
 */
async function mayBeSpecialized(
  scope: SymbolScope,
  { active, server, target }: SymbolQuestion,
  occurrence: Occurrence,
): Promise<boolean> {
  const isDependentName = active.spec.adapter?.isDependentName;
  const owner = declaringType(target);
  if (isDependentName === undefined || owner === undefined || !isSpecialization(owner)) return false;
  const limits = scope.files.limits(scope.call);
  if (!(await isDependentName(server, occurrence, limits))) return false;
  const { locations } = await requestDefinition(server, occurrence, limits);
  for (const found of await keepProjectLocations(scope, locations)) {
    const named = symbolsNamedAt(await scope.files.treeOf(found.file, scope.call), [found.range.start]);
    if (named.some((one) => isAlternativeMember(one, target))) return true;
  }
  return false;
}
