import { profileOf } from '../../languages/profiles.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { offsetAt } from '../../text/position.ts';
import { isMemberKind } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { wordAt } from './doubtful-answers.ts';
import type { Occurrence } from './occurrence.ts';

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
export function meansOtherBinding(
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
