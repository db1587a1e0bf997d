import { remainingMs } from '../../base/call.ts';
import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import type { ParsedProfile } from '../../languages/language-profile.ts';
import { parsedLanguage, parsedProfiles, type SyntaxLanguage } from '../../languages/profiles.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { CodeMatch } from '../../syntax/match-pattern.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { positionKey } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import { parsedLanguageOf } from '../model/syntax-language.ts';
import { uniqueSymbol } from './one-symbol.ts';
import { referencePlaces } from './references.ts';

/** A question for code of a certain structure. */
export interface StructureQuery {
  /** See {@link CodePattern}. */
  readonly pattern: string;
  /** LSP id of a language, or the name of its grammar; empty = those of the files. */
  readonly language: string;
  /** File or directory; empty = the whole project. */
  readonly within: string;
  readonly where: readonly VariableMeaning[];
}

/** A variable of a pattern, and the symbol that the code it stands for has to end with a reference to. */
interface VariableMeaning {
  readonly variable: string;
  readonly namePath: string;
  /** Defining file or directory of the symbol; empty = all. */
  readonly relativePath: string;
}

/** The matches in a file, in its order. */
export interface FileMatches {
  readonly file: string;
  readonly text: TextLines;
  readonly matches: readonly CodeMatch[];
}

const filesAtOnce = 4;
const shareOfTime = 0.8;
const unlimitedMs = 240_000;

/**
 * Returns the pieces of code that match a pattern, by file, sorted by path. Files that were not searched become a gap.
 *
 * @throws {ExpectedError} `tool.invalid-input` for a pattern or a language that is not valid; `file.*`; with `where`, also
 *   errors of {@link uniqueSymbol} and {@link referencePlaces}.
 */
export async function findStructure(scope: SymbolScope, query: StructureQuery): Promise<readonly FileMatches[]> {
  const endMs = performance.now() + (remainingMs(scope.call) ?? unlimitedMs) * shareOfTime;
  const files = await filesOf(scope, query);
  const meanings = await meaningsOf(scope, query.where);
  const meant = files.filter(([file]) => [...meanings.values()].every((ends) => ends.has(file)));
  const candidates = await candidatesIn(scope, meant, query.pattern);
  const left: string[] = [];
  const found = await mapConcurrently(candidates, filesAtOnce, async ([file, language]) => {
    scope.call.signal.throwIfAborted();
    const text = performance.now() > endMs ? undefined : readable(scope, file);
    const matches = text && (await syntaxTrees.matches(language, text.text, query.pattern).catch(() => undefined));
    if (text === undefined || matches === undefined) {
      left.push(file);
      return [];
    }
    const kept = matches.filter((match) => isMeant(meanings, { file, text }, match));
    return kept.length === 0 ? [] : [{ file, text, matches: kept }];
  });
  if (left.length > 0) {
    const missing = `${namedFiles(left.sort())} ${left.length === 1 ? 'was' : 'were'} not searched`;
    scope.gaps.push({
      missing,
      reason: 'there was no time, or the file cannot be parsed',
      next: 'Narrow the search with a path',
    });
  }
  return found.flat();
}

type LanguageFile = readonly [file: string, language: SyntaxLanguage];

/** Returns the files to search, with their languages, sorted by path. */
async function filesOf(
  { files: { project, sources }, call }: SymbolScope,
  { language, within }: StructureQuery,
): Promise<LanguageFile[]> {
  const wanted = language === '' ? undefined : languageNamed(language);
  const extensions = Object.values(parsedProfiles).flatMap((profile) => profile.extensions);
  const walk = { under: resolveInProject(project, within), extensions, pruneDirectories: sources.prunedDirectories };
  const listed = await project.scanner.listFiles(walk, call.signal);
  return listed
    .map(({ path }) => path)
    .sort()
    .flatMap((file) => {
      const own = parsedLanguageOf(sources, file);
      const isSearched = own !== undefined && (wanted === undefined ? isCode(own) : own === wanted);
      return isSearched ? [[file, own] as const] : [];
    });
}

/** False for markup and data, in which any text is valid. */
function isCode(language: SyntaxLanguage): boolean {
  const profile: ParsedProfile = parsedProfiles[language];
  return profile.lexis !== undefined;
}

function languageNamed(name: string): SyntaxLanguage {
  const names = Object.keys(parsedProfiles);
  const id = name.toLowerCase();
  const found = parsedLanguage(id) ?? byExtension(`.${id}`) ?? names.find((own) => own.toLowerCase() === id);
  const language = Object.keys(parsedProfiles).find((own): own is SyntaxLanguage => own === found);
  if (language !== undefined) return language;
  throw new ExpectedError('tool.invalid-input', `there is no grammar of the language \`${name}\``, {
    hints: [`use one of ${names.join(', ')}`],
  });
}

function byExtension(extension: string): string | undefined {
  return Object.entries(parsedProfiles).find(([, { extensions }]) => extensions.some((own) => own === extension))?.[0];
}

/**
 * Returns the files that may have matches: those with the longest word of the pattern. Languages in which the pattern is
 * not valid are left out.
 *
 * @throws {ExpectedError} `tool.invalid-input` if it is valid in none.
 */
async function candidatesIn(
  scope: SymbolScope,
  files: readonly LanguageFile[],
  pattern: string,
): Promise<LanguageFile[]> {
  const languages = [...new Set(files.map(([, language]) => language))];
  const problems: string[] = [];
  const valid = new Map<SyntaxLanguage, string | undefined>();
  for (const language of languages) {
    const compiled = await syntaxTrees.pattern(language, pattern);
    if (typeof compiled === 'string') problems.push(`in ${language}, ${compiled}`);
    else valid.set(language, compiled.words[0]);
  }
  if (valid.size === 0 && problems.length > 0) throw invalidPattern(pattern, problems);
  const own = files.filter(([, language]) => valid.has(language));
  const having = new Map<string, ReadonlySet<string>>();
  for (const word of new Set(valid.values())) {
    if (word === undefined) continue;
    const paths = own.filter(([, language]) => valid.get(language) === word).map(([file]) => file);
    having.set(word, new Set(await filesWith(scope, word, paths)));
  }
  return own.filter(([file, language]) => having.get(valid.get(language) ?? '')?.has(file) ?? true);
}

function invalidPattern(pattern: string, problems: readonly string[]): ExpectedError {
  return new ExpectedError('tool.invalid-input', `\`${pattern}\` is not a pattern: ${problems.join('; ')}`, {
    hints: [
      'write code as it stands in a file, with `$NAME` for one piece of code and `$$$NAME` for any number',
      'quote the pattern with single quotes in a shell, which replaces `$NAME` otherwise',
    ],
  });
}

async function filesWith({ files: { project }, call }: SymbolScope, word: string, paths: readonly string[]) {
  const query = { needle: word, repl: '', mode: 'literal', under: '', maxChars: 0, withEdits: false, paths } as const;
  const { files, unreadable, undecodable } = await project.scanner.occurrences(query, call.signal);
  return [...files.map(({ path }) => path), ...unreadable, ...undecodable];
}

/** Where variables have to end, by name: the ends of all references to their symbols, by file. */
type Meanings = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

async function meaningsOf(scope: SymbolScope, where: readonly VariableMeaning[]): Promise<Meanings> {
  const meanings = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();
  for (const { variable, namePath, relativePath } of where) {
    const symbol = await uniqueSymbol(scope, namePath, relativePath);
    const places = await referencePlaces(scope, symbol);
    const all = [{ file: symbol.file, range: symbol.selectionRange }, ...places];
    const byFile = Map.groupBy(all, ({ file }) => file);
    meanings.set(
      variable,
      new Map([...byFile].map(([file, own]) => [file, new Set(own.map(({ range }) => positionKey(range.end)))])),
    );
  }
  return meanings;
}

function isMeant(
  meanings: Meanings,
  { file, text }: Pick<FileMatches, 'file' | 'text'>,
  { bindings }: CodeMatch,
): boolean {
  return [...meanings].every(([variable, ends]) => {
    const bound = bindings.find(({ name }) => name === variable);
    return (
      bound !== undefined && ends.get(file)?.has(positionKey(positionAt(text.text, text.starts, bound.end))) === true
    );
  });
}
