import { mapConcurrently } from '../../base/concurrent.ts';
import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { FileIdentifiers } from '../../search/scan-protocol.ts';
import type { NameOccurrence } from '../../syntax/identifiers.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { qualifierBefore } from '../../text/identifiers.ts';
import { comparePositions, positionKey } from '../../text/place.ts';
import { offsetAt } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import type { SymbolScope } from '../model/scope.ts';
import { syntaxLanguageOf } from '../model/syntax-language.ts';

/** One thread parses; the next files are read meanwhile. */
const filesAtOnce = 4;
/** A text of this length is parsed in about 0.1 s. */
const maxChars = 200_000;

/** Occurrences in the texts that are in memory, by name. */
const known = new WeakMap<TextLines, Map<string, Promise<readonly NameOccurrence[]>>>();

/**
 * Returns the occurrences of a name in files, corrected by their syntax trees: without those in comments and strings, and
 * with identifiers that the text search took for strings, such as in nested templates. Files without a grammar, with
 * syntax errors, too long, or left after `limitMs` keep what the text search found.
 */
export async function parsedOccurrences(
  scope: SymbolScope,
  files: readonly FileIdentifiers[],
  { name, limitMs }: { readonly name: string; readonly limitMs: number },
): Promise<FileIdentifiers[]> {
  const deadline = performance.now() + limitMs;
  return await mapConcurrently(files, filesAtOnce, async (file) => {
    if (file.hasOddBreaks || performance.now() > deadline) return file;
    try {
      return await corrected(scope, file, name);
    } catch (error) {
      scope.call.signal.throwIfAborted();
      log('symbols').debug(`occurrences in \`${file.path}\` are not parsed: ${messageOf(error)}`);
      return file;
    }
  });
}

/**
 * Returns the occurrences of a name in the syntax tree of a file; `undefined` if the file cannot be parsed without errors,
 * or has more than `most` characters.
 */
export async function occurrencesIn(
  scope: SymbolScope,
  file: string,
  name: string,
  most = maxChars,
): Promise<readonly NameOccurrence[] | undefined> {
  const active = scope.files.sources.serverOf(file);
  const language = active && syntaxLanguageOf(active.spec, file);
  const text = language && scope.files.textOf(file);
  if (language === undefined || text === undefined || text.text.length > most) return undefined;
  const ofText = known.get(text) ?? new Map<string, Promise<readonly NameOccurrence[]>>();
  known.set(text, ofText);
  const asked = ofText.get(name) ?? syntaxTrees.occurrences(language, text.text, name);
  ofText.set(name, asked);
  asked.catch(() => ofText.delete(name));
  const found = await asked;
  // A text with syntax errors has none, although it contains the name.
  return found.length > 0 ? found : undefined;
}

async function corrected(scope: SymbolScope, file: FileIdentifiers, name: string): Promise<FileIdentifiers> {
  const parsed = await occurrencesIn(scope, file.path, name);
  if (parsed === undefined) return file;
  const text = scope.files.textOf(file.path);
  const inert = new Set(parsed.filter(({ kind }) => kind === 'inert').map(({ start }) => positionKey(start)));
  const bindings = new Map(parsed.map(({ start, binding }) => [positionKey(start), binding]));
  const places = file.places
    .filter((place) => !inert.has(positionKey(place)))
    .map((place) => {
      const binding = bindings.get(positionKey(place));
      return binding === undefined ? place : { ...place, binding };
    });
  const listed = new Set(file.places.map(positionKey));
  const added = parsed
    .filter(({ kind, start }) => kind === 'identifier' && !listed.has(positionKey(start)))
    .map(({ start, binding }) => {
      const offset = offsetAt(text.text, text.starts, start);
      const bound = binding && { binding };
      return { ...start, ...bound, qualifier: offset === undefined ? '' : qualifierBefore(text.text, offset) };
    });
  return { ...file, places: [...places, ...added].sort(comparePositions) };
}
