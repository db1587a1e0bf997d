import { z } from 'zod';
import { remainingMs } from '../../base/call.ts';
import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import { parseYaml } from '../../base/yaml.ts';
import type { ParsedProfile } from '../../languages/language-profile.ts';
import { parsedLanguage, parsedProfiles, type SyntaxLanguage } from '../../languages/profiles.ts';
import { resolveInProject } from '../../search/project-path.ts';
import { codeRule, type RuleWithParts, ruleFile } from '../../syntax/code-rule.ts';
import type { CodeMatch } from '../../syntax/match-pattern.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { positionKey } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import { parsedLanguageOf } from '../model/syntax-language.ts';
import { uniqueSymbol } from './one-symbol.ts';
import { referencePlaces } from './references.ts';
import type { FileMatches, StructureQuery, VariableMeaning } from './structure-query.ts';
import { withTypes } from './structure-types.ts';

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
  const { rule, language } = ruleOf(query);
  const files = await filesOf(scope, { ...query, language });
  const [types, symbols] = partitioned(query.where);
  const meanings = await meaningsOf(scope, symbols);
  const meant = files.filter(([file]) => [...meanings.values()].every((ends) => ends.has(file)));
  const candidates = await candidatesIn(scope, meant, { rule, query });
  const left: string[] = [];
  const found = await mapConcurrently(candidates, filesAtOnce, async ([file, language]) => {
    scope.call.signal.throwIfAborted();
    const text = performance.now() > endMs ? undefined : readable(scope, file);
    const matches = text && (await syntaxTrees.matches(language, text.text, rule).catch(() => undefined));
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
  return await withTypes(scope, found.flat(), types);
}

/** Returns the conditions about types, and the others. */
function partitioned(where: readonly VariableMeaning[]): [types: VariableMeaning[], symbols: VariableMeaning[]] {
  return [where.filter(({ by }) => by !== 'reference'), where.filter(({ by }) => by === 'reference')];
}

/**
 * Returns the rule of a query and the language that it is for: of a pattern and a rule, both have to match.
 *
 * @throws {ExpectedError} `tool.invalid-input` for a text that is no rule, or for neither.
 */
function ruleOf({ pattern, rule: text, language }: StructureQuery): { rule: RuleWithParts; language: string } {
  const simple = pattern.trim() === '' ? [] : [{ pattern }];
  const { language: own = '', fix: _, ...read } = text.trim() === '' ? {} : parsedRule(text);
  const all = [...simple, ...(read.rule === undefined ? [] : [read.rule])];
  const [first, second] = all;
  if (first === undefined)
    throw new ExpectedError('tool.invalid-input', 'there is neither a pattern nor a rule', {
      hints: [
        'pass `pattern`, such as `foo($A)`, or `rule`, such as `{kind: call_expression, inside: {kind: arguments}}`',
      ],
    });
  return {
    rule: { ...read, rule: second === undefined ? first : { all } },
    language: language === '' ? own : language,
  };
}

function parsedRule(text: string): Partial<z.infer<typeof ruleFile>> {
  try {
    const content = parseYaml(text, 'rule', z.record(z.string(), z.unknown()));
    return 'rule' in content ? parseYaml(text, 'rule', ruleFile) : { rule: parseYaml(text, 'rule', codeRule) };
  } catch (error) {
    if (!isExpected(error, 'config.invalid')) throw error;
    throw new ExpectedError('tool.invalid-input', `the rule is not valid: ${error.message}`, {
      hints: ['write a rule as ast-grep takes it: `{pattern: foo($A), inside: {kind: class_body, stopBy: end}}`'],
    });
  }
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
 * Returns the files that may have matches: those with the longest word of the rule. Languages in which the rule is not
 * valid are left out.
 *
 * @throws {ExpectedError} `tool.invalid-input` if it is valid in none.
 */
async function candidatesIn(
  scope: SymbolScope,
  files: readonly LanguageFile[],
  { rule, query }: { readonly rule: RuleWithParts; readonly query: StructureQuery },
): Promise<LanguageFile[]> {
  const languages = [...new Set(files.map(([, language]) => language))];
  const problems: string[] = [];
  const valid = new Map<SyntaxLanguage, string | undefined>();
  for (const language of languages) {
    const compiled = await syntaxTrees.rule(language, rule);
    if (typeof compiled === 'string') problems.push(`in ${language}, ${compiled}`);
    else valid.set(language, compiled.words[0]);
  }
  if (valid.size === 0 && problems.length > 0) throw invalidPattern(query, problems);
  const own = files.filter(([, language]) => valid.has(language));
  const having = new Map<string, ReadonlySet<string>>();
  for (const word of new Set(valid.values())) {
    if (word === undefined) continue;
    const paths = own.filter(([, language]) => valid.get(language) === word).map(([file]) => file);
    having.set(word, new Set(await filesWith(scope, word, paths)));
  }
  return own.filter(([file, language]) => having.get(valid.get(language) ?? '')?.has(file) ?? true);
}

function invalidPattern({ pattern, rule }: StructureQuery, problems: readonly string[]): ExpectedError {
  if (rule !== '')
    return new ExpectedError('tool.invalid-input', `the rule is not valid: ${problems.join('; ')}`, {
      hints: ['pass the `language`, if its kinds of nodes are those of one'],
    });
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
