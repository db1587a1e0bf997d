// usage: bun scripts/check-languages.ts [--update]
// Checks that only src/languages/ knows languages and language servers: elsewhere in src/ no name of one is part of a
// file's name or of an identifier, or a string by itself, as in `=== 'python'`. `language-exceptions.json` has how many
// different names a file may still have; `--update` writes the numbers of now, which may move from file to file but not grow in
// total. In src/install/ such names are those of package managers and runtimes.
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { servers } from '../src/languages/servers.ts';
import { withoutComments } from './support/imports.ts';
import { root } from './support/paths.ts';
import { reportProblems } from './support/report.ts';
import { listSources, readSource } from './support/tracked-files.ts';

const exceptionsPath = 'scripts/language-exceptions.json';

/** Path → how many different names of languages and servers the file may have. */
const Exceptions = z.record(z.string(), z.int().positive());
type Exceptions = z.infer<typeof Exceptions>;

/** Formats that this program reads or writes itself, its own shell, and words that mean something else as well. */
const otherMeanings = new Set(
  'al api bash buf companion css deno html json languageserver lean markdown native powershell r toml ty web wolfram yaml'.split(
    ' ',
  ),
);

/** Names that are neither the id of a server nor the name of a directory. */
const furtherNames = ['javascript', 'ecmascript', 'tsserver', 'jdtls', 'rustanalyzer', 'cplusplus', 'golang'];

/** Returns the words in lower case that name a language or a server. */
function namesOfLanguages(directories: readonly string[]): ReadonlySet<string> {
  const ids = servers.flatMap(({ id, name }) => [...id.split('_'), ...(/^\w+$/.test(name) ? [name] : [])]);
  const all = [...directories, ...ids, ...furtherNames].map((name) => name.toLowerCase());
  return new Set(all.filter((name) => !otherMeanings.has(name)));
}

/** Returns the words of an identifier or a file's name in lower case, and each two neighbors as one: `java`, `script`. */
function wordsOf(name: string): string[] {
  const words = name
    .split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase());
  return [...words, ...words.map((word, index) => word + (words[index + 1] ?? ''))];
}

/** Returns the identifiers, strings and file name of a source that name a language or a server, without duplicates. */
function namesIn(path: string, languages: ReadonlySet<string>): string[] {
  const code = withoutComments(readSource(path)).replace(/^(?:import|export) [^;]*? from '[^']*';/gm, '');
  const strings = [...code.matchAll(/'([\w-]+)'/g)].map(([text, content = '']) => ({
    text,
    words: [content.toLowerCase()],
  }));
  const plain = code.replace(/'(?:\\.|[^'\\\n])*'|\/\/.*|`(?:\\.|[^`\\$])*`/g, "''");
  const identifiers = [...plain.matchAll(/[A-Za-z_$][\w$]*/g)].map(([text]) => ({ text, words: wordsOf(text) }));
  const file = basename(path, '.ts');
  const all = [{ text: file, words: wordsOf(file) }, ...strings, ...identifiers];
  return [...new Set(all.filter(({ words }) => words.some((word) => languages.has(word))).map(({ text }) => text))];
}

function problemsOf(found: ReadonlyMap<string, readonly string[]>, exceptions: Exceptions): string[] {
  return [...new Set([...found.keys(), ...Object.keys(exceptions)])].flatMap((path) => {
    const names = found.get(path) ?? [];
    const allowed = exceptions[path] ?? 0;
    if (names.length < allowed) return [`${exceptionsPath}: \`${path}\` has ${names.length} of ${allowed} names`];
    return names.length > allowed
      ? [`${path}: names languages or servers, ${allowed} allowed: ${names.join(', ')}`]
      : [];
  });
}

/** Writes the numbers of names that the files have now, if these are no more in total, and returns them. */
function updated(found: ReadonlyMap<string, readonly string[]>, exceptions: Exceptions): Exceptions {
  const counts = [...found].map(([path, { length }]) => [path, length] as const).filter(([, count]) => count > 0);
  const current = Object.fromEntries(counts);
  if (totalOf(current) > totalOf(exceptions)) return exceptions;
  writeFileSync(join(root, exceptionsPath), `${JSON.stringify(current, null, 2)}\n`);
  return current;
}

function totalOf(exceptions: Exceptions): number {
  return Object.values(exceptions).reduce((sum, one) => sum + one, 0);
}

async function main(): Promise<never> {
  const files = (await listSources('src')).filter((path) => path.endsWith('.ts'));
  const directories = files.flatMap((path) => /^src\/languages\/(\w+)\//.exec(path)?.[1] ?? []);
  const languages = namesOfLanguages(directories);
  const others = files.filter((path) => !/^src\/(?:languages|generated|install)\//.test(path));
  const found = new Map(others.map((path) => [path, namesIn(path, languages)]));
  let exceptions = Exceptions.parse(JSON.parse(readSource(exceptionsPath)));
  if (process.argv.includes('--update')) exceptions = updated(found, exceptions);
  const count = totalOf(exceptions);
  reportProblems(
    problemsOf(found, exceptions),
    `${others.length} files name no language or server, except ${Object.keys(exceptions).length} with ${count} names`,
    'Move code about one language to src/languages/. For fewer names, and for a file that was moved or deleted, correct the numbers',
  );
}

if (import.meta.main) await main();
