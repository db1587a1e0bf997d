import { existsSync } from 'node:fs';
import { within } from '../../base/deadline.ts';
import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { SyntaxLanguage } from '../../languages/profiles.ts';
import type { ParseError } from '../../syntax/syntax-errors-in.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import type { SymbolScope } from '../model/scope.ts';
import { parsedLanguageOf } from '../model/syntax-language.ts';
import { type ComparedProblems, type FileProblems, newProblems } from '../queries/new-problems.ts';

/** A text of this length is parsed in about 0.1 s. */
const maxChars = 200_000;

/** An edit does not wait longer for the parser. */
const patienceMs = 2_000;

/** A file before an edit. */
interface ParsedFile {
  readonly language: SyntaxLanguage;
  /** With `\n` line breaks; empty for a file that does not exist. */
  readonly text: string;
}

/**
 * Returns the texts of files that can be parsed, by project-relative path, to compare them after an edit. Files that
 * cannot be read or are too long are left out.
 */
export function textsBefore(scope: SymbolScope, paths: readonly string[]): ReadonlyMap<string, ParsedFile> {
  const found = new Map<string, ParsedFile>();
  for (const path of paths) {
    const language = parsedLanguageOf(scope.files.sources, path);
    const text = language && (existsSync(scope.files.absolute(path)) ? textOf(scope, path) : '');
    if (language !== undefined && text !== undefined && text.length <= maxChars) found.set(path, { language, text });
  }
  // The thread starts while the files are written.
  if (found.size > 0) syntaxTrees.start();
  return found;
}

/**
 * Returns the syntax errors before and after an edit by project-relative path, for the files that have errors now and
 * have more of them than before. What is not parsed within two seconds is left out.
 */
export async function parsedChanges(
  scope: SymbolScope,
  before: ReadonlyMap<string, ParsedFile>,
): Promise<ReadonlyMap<string, ComparedProblems>> {
  const found = new Map<string, ComparedProblems>();
  const deadline = performance.now() + patienceMs;
  const onTimeout = () => new Error(`the parser did not answer within ${patienceMs} ms`);
  const problemsOf = async (file: string, { language, text }: ParsedFile): Promise<FileProblems> => {
    const timeoutMs = Math.max(0, deadline - performance.now());
    const errors = await within(syntaxTrees.errors(language, text), { timeoutMs, onTimeout });
    return { file, text, problems: errors.map(problemOf) };
  };
  try {
    for (const [file, old] of before) {
      const text = textOf(scope, file);
      if (text === undefined || text.length > maxChars || text === old.text) continue;
      const after = await problemsOf(file, { ...old, text });
      if (after.problems.length === 0) continue;
      const earlier = await problemsOf(file, old);
      if (after.problems.length <= earlier.problems.length) continue;
      found.set(file, { before: earlier, after, added: newProblems(earlier, after) });
    }
  } catch (error) {
    // The edit is committed, so failures must not hide it.
    log('symbols').debug(`the syntax of edited files is not compared: ${messageOf(error)}`);
  }
  return found;
}

function textOf({ files }: SymbolScope, path: string): string | undefined {
  try {
    return files.textOf(path).text;
  } catch {
    // Missing, unreadable, or no text.
    return undefined;
  }
}

function problemOf({ range, message }: ParseError): FileProblems['problems'][number] {
  return { range, message, severity: 1, code: undefined, source: undefined, isSyntaxError: true };
}
