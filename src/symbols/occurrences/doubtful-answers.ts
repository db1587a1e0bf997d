import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { isInImport } from '../../text/identifiers.ts';
import { lineText } from '../../text/lines.ts';
import { isOutside, type Place, placeKey, placeOf } from '../../text/place.ts';
import { offsetAt } from '../../text/position.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import type { Occurrence } from './occurrence.ts';

/** A file that declares what other files define. Those of packages are not in question. */
const declarationFile = /^(?!.*(?:^|[\\/])node_modules[\\/]).*\.pyi$/;

/**
 * True if the server's answer about an occurrence says little of the code: no position, one in a stub, or for an import
 * only the importing file itself. `keys` are those of the positions; see {@link placeKey}.
 */
export function isDoubtful(scope: SymbolScope, { file, range }: Place, keys: readonly string[]): boolean {
  if (keys.length === 0 || keys.some(isInStub)) return true;
  return keys.every((key) => fileOf(key) === file) && isImported(scope, { file, range });
}

/** True if the place with a key is in a declaration file of the project. */
function isInStub(key: string): boolean {
  const file = fileOf(key);
  return !isOutside({ file }) && declarationFile.test(file);
}

function fileOf(key: string): string {
  return key.replace(/:\d+:\d+$/, '');
}

function isImported(scope: SymbolScope, { file, range }: Place): boolean {
  const read = readable(scope, file);
  const offset = read && offsetAt(read.text, read.starts, range.start);
  return read !== undefined && offset !== undefined && isInImport(read.text, offset);
}

/** True if a position that an occurrence leads to does not say what the occurrence means. */
export function isNoAnswer(
  scope: SymbolScope,
  { active, target }: { readonly active: ActiveServer; readonly target: SymbolNode },
  occurrence: Occurrence,
  key: string,
): boolean {
  const mayBeInStub = !target.file.endsWith('.pyi');
  if ((mayBeInStub && isInStub(key)) || isOfQualifier(scope, occurrence, key)) return true;
  return active.spec.adapter?.isDependentName !== undefined && isOtherName(scope, occurrence, key);
}

/**
 * True if a position that an occurrence leads to declares its qualifier: clangd leads `Base::name` in a template, whose
 * base it does not know, to `Base`.
 */
function isOfQualifier(scope: SymbolScope, { qualifier }: Occurrence, key: string): boolean {
  const word = /([\p{L}_][\p{L}\p{N}_]*)\W*$/u.exec(qualifier)?.[1];
  return word !== undefined && wordAt(scope, key) === word;
}

/**
 * True if another name is at a position that an occurrence leads to: clangd leads a name that it does not resolve to the
 * declaration around it, as in a file that is only complete where it is included.
 */
function isOtherName(scope: SymbolScope, occurrence: Occurrence, key: string): boolean {
  const [word, other] = [placeKey(occurrence), key].map((one) => wordAt(scope, one));
  return word !== undefined && other !== undefined && word !== other;
}

/** Returns the name at the place with a key, in the project; `undefined` if there is none. */
export function wordAt(scope: SymbolScope, key: string): string | undefined {
  const place = placeOf(key);
  const read = place === undefined || isOutside(place) ? undefined : readable(scope, place.file);
  const { line, character } = place?.range.start ?? { line: 0, character: 0 };
  const text = read && lineText(read.text, read.starts, line)?.slice(character);
  return text === undefined ? undefined : /^[\p{L}\p{N}_]+/u.exec(text)?.[0];
}
