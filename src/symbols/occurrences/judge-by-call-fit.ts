import { mapConcurrently } from '../../base/concurrent.ts';
import { counted } from '../../base/counted.ts';
import type { CallRules } from '../../languages/call-rules.ts';
import { parsedProfiles } from '../../languages/profiles.ts';
import type { CallShape, Definition, ParameterList } from '../../syntax/calls.ts';
import { comparePositions, isSamePlace, keyAt, type Place } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { isCallable, kinds } from '../model/kinds.ts';
import { adapterOf, type SymbolScope } from '../model/scope.ts';
import { nameKey, namePlace, type SymbolNode } from '../model/symbol.ts';
import { syntaxLanguageOf } from '../model/syntax-language.ts';
import type { Inquiry, Judge } from './ledger.ts';
import { occurrencesIn } from './parsed-occurrences.ts';

/** A name in more files has so many definitions that a call fits one of them. */
const maxFiles = 400;
const filesAtOnce = 4;
/** One file that is not parsed leaves all calls open; a text of this length is parsed in about 0.5 s. */
const maxChars = 1_000_000;

/**
 * Decides that a call is another symbol if it passes arguments that no definition of the symbol takes, nor any member that
 * overrides it or that it overrides. Rules on nothing that is uncertain.
 *
 * ```python
 * class Field:
 *     def clean(self, value, model): ...
 * form.clean()       # cannot be `Field.clean`, whatever `form` is
 * ```
 */
export const callFitJudge: Judge<SymbolScope> = {
  name: 'call',
  open: async (scope, inquiry) => {
    const { active, server, target, name } = inquiry;
    const language = syntaxLanguageOf(active.spec, target.file);
    const rules = language && parsedProfiles[language].calls;
    if (rules === undefined || (target.kind !== kinds.function && target.kind !== kinds.method)) return undefined;
    // The definitions are the same for all calls.
    let family: Promise<Family | undefined> | undefined;
    // Valid until files change: later questions about the symbol need no definitions.
    const { resolved } = scope.files.stateOf(server);
    return async ({ file, range, isListed }) => {
      const facts = isListed ? undefined : await occurrencesIn(scope, file, name, maxChars);
      const call = facts?.find(({ start }) => comparePositions(start, range.start) === 0)?.call;
      if (call === undefined || call.isOpen) return undefined;
      const key = `takes ${nameKey(target)} ${JSON.stringify(call)}`;
      if (!resolved.has(key)) {
        family ??= Family.of(scope, inquiry, rules);
        const mayTake = (await (await family)?.mayTake(call)) ?? true;
        resolved.set(key, [String(mayTake)]);
      }
      if (resolved.get(key)?.includes('false') !== true) return undefined;
      const passed = counted(call.positional + call.keywords.length, 'argument');
      return { verdict: 'other', reason: `it passes ${passed}, which neither the symbol nor an override takes` };
    };
  },
};

/** True if the occurrence of a name at a place is a call that passes what `takes` allows, or does not show what it passes. */
export async function takesCall(
  scope: SymbolScope,
  { file, range }: Place,
  { name, takes }: { name: string; takes: ParameterList },
): Promise<boolean> {
  const language = syntaxLanguageOf(scope.files.sources.requireServer(file).spec, file);
  const rules = language && parsedProfiles[language].calls;
  const facts = await occurrencesIn(scope, file, name);
  const call = facts?.find(({ start }) => comparePositions(start, range.start) === 0)?.call;
  return rules !== undefined && call !== undefined && (call.isOpen || fits(call, takes, rules));
}

/** A definition of the name elsewhere, which may belong to the symbol. */
interface OtherDefinition extends Definition {
  readonly file: string;
}

/** What is known of two types: whether they have a member in common. */
type Relation = 'related' | 'unrelated' | 'unknown';

class Family {
  readonly #scope: SymbolScope;
  readonly #question: Inquiry;
  readonly #rules: CallRules;
  readonly #own: readonly ParameterList[];
  readonly #others: readonly OtherDefinition[];
  readonly #related = new Map<string, Promise<Relation>>();
  readonly #bases = new Map<string, Promise<Ancestors>>();

  private constructor(
    question: { scope: SymbolScope; question: Inquiry; rules: CallRules },
    definitions: { own: readonly ParameterList[]; others: readonly OtherDefinition[] },
  ) {
    this.#scope = question.scope;
    this.#question = question.question;
    this.#rules = question.rules;
    this.#own = definitions.own;
    this.#others = definitions.others;
  }

  /** Returns `undefined` if it is unknown what the definitions take. */
  static async of(scope: SymbolScope, question: Inquiry, rules: CallRules): Promise<Family | undefined> {
    const { target, name, text, overloads } = question;
    const files = (await text?.())?.files;
    if (files === undefined || files.length > maxFiles) return undefined;
    const keys = new Set(overloads.map(nameKey));
    const own = new Map<string, ParameterList>();
    const others: OtherDefinition[] = [];
    const isMember = target.parent !== undefined && !isCallable(target.parent);
    const found = await mapConcurrently(files, filesAtOnce, ({ path }) => occurrencesIn(scope, path, name, maxChars));
    for (const [index, facts] of found.entries()) {
      const file = files[index]?.path ?? '';
      if (facts === undefined) return undefined;
      for (const { start, definition } of facts) {
        if (definition === undefined) continue;
        const key = keyAt(file, start);
        if (!keys.has(key)) {
          if (definition.isMember && (isMember || definition.owner === undefined)) others.push({ ...definition, file });
        } else if (definition.takes !== undefined) own.set(key, definition.takes);
      }
    }
    if (own.size < keys.size) return undefined;
    return new Family({ scope, question, rules }, { own: [...own.values()], others });
  }

  /** True if some definition takes the arguments of a call, or it is unknown. */
  async mayTake(call: CallShape): Promise<boolean> {
    const rules = this.#rules;
    if (this.#own.some((takes) => fits(call, takes, rules))) return true;
    for (const one of this.#others) {
      if (one.takes !== undefined && !fits(call, one.takes, rules)) continue;
      const relation = await this.#relationOf(one);
      if (relation === 'related' || (relation === 'unknown' && this.#mayReplace(one))) return true;
    }
    return false;
  }

  /**
   * False if no call fits both a definition and the symbol. A class with a base that nobody can resolve does not override
   * the symbol then:
   *
   * ```python
   * class Other(made_at_run_time()):
   *     def clean(self): ...             # neither called as `Field.clean(value, model)` nor the other way round
   * ```
   */
  #mayReplace({ takes }: OtherDefinition): boolean {
    return takes === undefined || this.#own.some((own) => haveCallInCommon(own, takes, this.#rules));
  }

  #relationOf({ file, owner }: OtherDefinition): Promise<Relation> {
    if (owner === undefined || this.#rules.isStructural) return Promise.resolve('related');
    const key = keyAt(file, owner);
    const known = this.#related.get(key) ?? this.#typeRelation(file, owner);
    this.#related.set(key, known);
    return known;
  }

  async #typeRelation(file: string, owner: Position): Promise<Relation> {
    const { active, target } = this.#question;
    const { basesOf } = await adapterOf(this.#scope, active, target.file);
    const [type] = symbolsNamedAt(await this.#scope.files.treeOf(file, this.#scope.call), [owner]);
    // Without its bases, a class that certainly overrides the symbol looks unknown, too.
    if (basesOf === undefined) return this.#rules.checksOverrides ? 'unknown' : 'related';
    if (type === undefined || target.parent === undefined) return 'unknown';
    const [above, aboveTarget] = [await this.#ancestorsOf(type), await this.#ancestorsOf(target.parent)];
    const isShared = aboveTarget.types.some(
      (one) =>
        one.children.some(({ name }) => name === target.name) &&
        above.types.some((other) => isSamePlace(namePlace(one), namePlace(other))),
    );
    if (isShared) return 'related';
    return above.isComplete && aboveTarget.isComplete ? 'unrelated' : 'unknown';
  }

  #ancestorsOf(type: SymbolNode): Promise<Ancestors> {
    const key = nameKey(type);
    const known = this.#bases.get(key) ?? ancestorsOf(this.#scope, this.#question, type);
    this.#bases.set(key, known);
    return known;
  }
}

/** A type and all those above it in the project. */
interface Ancestors {
  readonly types: readonly SymbolNode[];
  readonly isComplete: boolean;
}

async function ancestorsOf(scope: SymbolScope, { active }: Inquiry, type: SymbolNode): Promise<Ancestors> {
  // Files that cannot be parsed make it incomplete; they are no gap of the answer.
  const quiet = { ...scope, gaps: [] };
  const { basesOf } = await adapterOf(scope, active, type.file);
  const types = new Map([[nameKey(type), type]]);
  let isComplete = true;
  for (const one of types.values()) {
    const { classes, unknown } = (await basesOf?.(quiet, active, one)) ?? { classes: [], unknown: [one.name] };
    if (unknown.length > 0) isComplete = false;
    for (const base of classes) types.set(nameKey(base), base);
  }
  return { types: [...types.values()], isComplete: isComplete && quiet.gaps.length === 0 };
}

/** True if a function takes the arguments of a call, with or without its receiver among them. */
function fits(call: CallShape, takes: ParameterList, rules: CallRules): boolean {
  if (call.isConstruction && !takes.isConstructible) return false;
  const [, ...others] = takes.parameters;
  const hasFirst = takes.receiver !== 'always' && fitsParameters(call, takes, rules);
  return hasFirst || (takes.receiver !== 'none' && fitsParameters(call, { ...takes, parameters: others }, rules));
}

/** True if some call, of a value with the member, passes what each of two functions takes, and nothing that is ignored. */
function haveCallInCommon(one: ParameterList, other: ParameterList, { bundlesKeywords }: CallRules): boolean {
  const both = [one, other].map((takes) => {
    return takes.receiver === 'none' ? takes : { ...takes, parameters: takes.parameters.slice(1) };
  });
  const required = both.map(({ parameters }) => parameters.filter(({ isRequired }) => isRequired));
  const keywords = [...new Set(required.flat().flatMap(({ by, name }) => (by === 'keyword' ? [name] : [])))];
  const counts = required.map((all) => all.filter(({ name }) => !keywords.includes(name)).length);
  const call = { positional: Math.max(...counts), keywords, isOpen: false, isConstruction: false };
  return both.every((takes) => fitsParameters(call, takes, bundlesKeywords ? { bundlesKeywords } : {}));
}

type SurplusRules = Pick<CallRules, 'bundlesKeywords' | 'ignoresSurplus'>;

function fitsParameters(call: CallShape, takes: ParameterList, rules: SurplusRules): boolean {
  const { parameters, hasRest, hasKeywordRest } = takes;
  const byKeyword = parameters.filter(({ by }) => by !== 'position');
  const isBundled = rules.bundlesKeywords === true && byKeyword.length === 0 && !hasKeywordRest;
  const keywords = isBundled ? [] : call.keywords;
  const passed = call.positional + (isBundled && call.keywords.length > 0 ? 1 : 0);
  const byPosition = parameters.filter(({ by }) => by !== 'keyword');
  if (!hasRest && rules.ignoresSurplus !== true && passed > byPosition.length) {
    // Before Ruby 3 a hash in the last place passes the keywords.
    return rules.bundlesKeywords === true && !isBundled && passed === byPosition.length + 1;
  }
  if (!hasKeywordRest && !keywords.every((keyword) => byKeyword.some(({ name }) => name === keyword))) return false;
  if (byPosition.slice(0, passed).some(({ by, name }) => by === 'either' && keywords.includes(name))) return false;
  const missing = parameters.filter(({ isRequired, by, name }) => {
    return isRequired && (by === 'position' || !keywords.includes(name));
  });
  const [positional, named] = [
    missing.filter(({ by }) => by !== 'keyword'),
    missing.filter(({ by }) => by === 'keyword'),
  ];
  return named.length === 0 && positional.length <= passed;
}
