import { parse } from 'node:path';
import { profileOf } from '../../languages/profiles.ts';
import { requestDefinition, requestImplementations } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { comparePositions, type Place, placeKey } from '../../text/place.ts';
import { offsetAt } from '../../text/position.ts';
import { isMemberKind, kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import { cached } from '../model/server-state.ts';
import { nameKey, namePlace, type SymbolNode } from '../model/symbol.ts';
import { unlessRefused } from '../queries/requests.ts';
import { isNoAnswer, wordAt } from './doubtful-answers.ts';
import type { Inquiry, Judge, OwnPositions } from './ledger.ts';
import type { Occurrence } from './occurrence.ts';

const specialization = { verdict: 'own', reason: 'it declares a specialization' } as const;
const declaration = { verdict: 'other', reason: 'it declares the symbol' } as const;

/** Decides that declarations are no references, and that declarations of specializations are. */
export const declarationJudge: Judge<SymbolScope> = {
  name: 'declaration',
  open: async (_, inquiry) => {
    const { declarations } = inquiry.own;
    const specialized = new Set(inquiry.declarations.map(nameKey));
    return async (candidate) => {
      if (candidate.isListed) return undefined;
      const itself = placeKey(candidate);
      return specialized.has(itself) ? specialization : declarations.has(itself) ? declaration : undefined;
    };
  },
};

const own = { verdict: 'own', reason: 'its definition is the symbol' } as const;
const other = { verdict: 'other', reason: 'its definition is something else' } as const;
const binding = { verdict: 'other', reason: 'it means another variable, parameter or member of this name' } as const;
const guess = { verdict: 'open', reason: 'it depends on the parameters of a template' } as const;

/** Decides by the places that the server resolves an occurrence to with `textDocument/definition`. */
export const definitionJudge: Judge<SymbolScope> = {
  name: 'definition',
  open: async (scope, inquiry) => {
    const { own: positions } = inquiry;
    const specialized = new Set(inquiry.declarations.map(nameKey));
    const isOwnKey = (key: string) =>
      [positions.references, positions.declarations, specialized].some((keys) => keys.has(key));
    const resolvesByGuess = inquiry.active.spec.adapter?.isDependentName !== undefined;
    return async (candidate) => {
      if (candidate.isListed) return undefined;
      const keys = await candidate.definitions();
      if (keys.length === 0) return undefined;
      if (meansOtherBinding(scope, inquiry, candidate, { keys, ...positions, isOwnKey })) return binding;
      if (keys.some(isOwnKey) && !keys.includes(placeKey(candidate))) {
        return resolvesByGuess && !keys.every(isOwnKey) ? guess : own;
      }
      return keys.every((key) => isNoAnswer(scope, inquiry, candidate, key)) ? undefined : other;
    };
  },
};

/** Returns the places that count as the symbol. */
export async function ownPositions(
  scope: SymbolScope,
  { active, server, target, listed }: Pick<Inquiry, 'active' | 'server' | 'target' | 'listed'>,
): Promise<OwnPositions> {
  const limits = scope.files.limits(scope.call);
  const place = namePlace(target);
  const at = placeKey(place);
  const { resolved } = scope.files.stateOf(server);
  const definitions = async () => {
    const found = await unlessRefused(() => requestDefinition(server, place, limits));
    return found?.locations.map(placeKey) ?? [];
  };
  const implementations = async () => {
    const found = await unlessRefused(() => requestImplementations(server, place, limits));
    return found?.map(placeKey) ?? [];
  };
  const declared = await cached(resolved, `declared ${at}`, definitions);
  const canImplement =
    active.spec.quirks?.resolvesToImplementations === true && server.supports('textDocument/implementation');
  const implemented = canImplement ? await cached(resolved, `implemented ${at}`, implementations) : [];
  const constructors = target.children.filter(({ kind }) => kind === kinds.constructor);
  return {
    declarations: new Set([at, ...declared, ...implemented, ...constructors.map(nameKey)]),
    references: new Set(listed.map(placeKey)),
  };
}

/** Returns the places that the server resolves an occurrence to, as keys; of a module, its file. */
export function definitionsOf(
  scope: SymbolScope,
  { server, name }: Pick<Inquiry, 'server' | 'name'>,
  occurrence: Place,
): Promise<readonly string[]> {
  return cached(scope.files.stateOf(server).resolved, placeKey(occurrence), async () => {
    // Some servers refuse to resolve unknown names.
    const found = await unlessRefused(() => requestDefinition(server, occurrence, scope.files.limits(scope.call)));
    const keys = found?.locations.map((one) => (isModule(one, name) ? one.file : placeKey(one)));
    return [...(keys ?? []), ...(found?.others ?? [])];
  });
}

/** True if a definition is a module: servers report the start of its file, where a symbol may begin as well. */
function isModule({ file, range: { start, end } }: Place, name: string): boolean {
  if (start.line > 0 || start.character > 0) return false;
  return comparePositions(start, end) === 0 || parse(file).name === name;
}

interface Question {
  readonly active: ActiveServer;
  readonly target: SymbolNode;
  readonly name: string;
  readonly followsAliases?: boolean;
}

const beforeCalled = /(?:\bnew\s+|@|<)(?:[\p{L}\p{N}_$]+\s*\.\s*)*$/u;
const afterCalled = /^\s*\)*\s*!?\s*(?:\?\.)?\s*[(<`]/;
/** Text around a name that is searched for a call. */
const maxChars = 200;

/** Definitions of an occurrence, as positions after their absolute paths. */
interface Definitions {
  readonly keys: readonly string[];
  /** The symbol's known references. */
  readonly references: ReadonlySet<string>;
  /** True for the symbol's declarations and known references. */
  readonly isOwnKey: (key: string) => boolean;
}

/**
 * True if an occurrence that leads to the symbol, perhaps among others, means another variable, parameter or member of
 * the same name.
 */
function meansOtherBinding(
  scope: SymbolScope,
  question: Question,
  occurrence: Occurrence,
  definitions: Definitions,
): boolean {
  const { keys, references } = definitions;
  const leadsToReference = keys.some((key) => references.has(key));
  if (leadsToReference && mayMeanAnother(question, occurrence)) return true;
  return isOfSignature(scope, question, occurrence, definitions);
}

/**
 * True if an occurrence leads to the symbol only because the call has its signature. To the definitions of a called name
 * TypeScript adds the declaration of the signature, as the last one, and the plugin for Vue as the first one: for a
 * parameter of the type `typeof load` that of the function `load`. If the name means this declaration, it is the only one.
 */
function isOfSignature(
  scope: SymbolScope,
  { active, name }: Question,
  { file, range }: Occurrence,
  { keys, isOwnKey }: Definitions,
): boolean {
  const others = keys.filter((key) => !isOwnKey(key));
  if (others.length === 0 || others.length === keys.length || !isScript(active, file)) return false;
  const { text, starts } = scope.files.textOf(file);
  const [start = 0, end = 0] = [range.start, range.end].map((position) => offsetAt(text, starts, position));
  const isCalled =
    afterCalled.test(text.slice(end, end + maxChars)) ||
    beforeCalled.test(text.slice(Math.max(0, start - maxChars), start));
  return isCalled && (keys[0] === others[0] || others.some((key) => wordAt(scope, key) === name));
}

/**
 * True if an occurrence that leads to a reference to the symbol may mean what this reference declares: a pattern
 * (`const { name } = value`) declares a variable, to which a bare `name` leads, and a shorthand (`{ name }`) a member, to
 * which `value.name` leads. Through these the symbol is used, as through an alias, unless it is a member.
 */
function mayMeanAnother(
  { active, target, followsAliases = false }: Question,
  { file, qualifier }: Occurrence,
): boolean {
  const inScript = isScript(active, file);
  if (!inScript && profileOf(languageIdOf(active.spec, file) ?? '')?.lexis?.hasMemberPatterns !== true) return false;
  if (isMemberKind(target.kind)) return qualifier === '';
  // A name from an import leads to the declaration, but `const { name } = await import('…')` declares a variable.
  return (qualifier.endsWith('.') || inScript) && !followsAliases;
}

function isScript({ spec }: ActiveServer, file: string): boolean {
  return profileOf(languageIdOf(spec, file) ?? '')?.isScript === true;
}
