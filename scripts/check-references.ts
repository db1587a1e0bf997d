// usage: bun scripts/check-references.ts
// Checks that every file of this project that a comment or a document names exists.
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { root } from './support/paths.ts';
import { reportProblems } from './support/report.ts';
import { listTrackedFiles, readSource } from './support/tracked-files.ts';

/** A path from the root, as in `src/base/errors.ts` or `docs/design`. */
const fromRoot =
  /(?<![\w@<>$}*./-])((?:\.ci|\.github|docs|bench|resources|scripts|spec|src|test)\/[\w@./-]*[\w])(?![\w*{<…$/-])/g;
/** The target of a Markdown link. */
const link = /\]\((?!\w+:)([^)#\s]+)(?:#[^)]*)?\)/g;
/** Documents by their name alone. */
const document =
  /(?<![\w/.-])((?:DESIGN|AGENTS|CONTRIBUTING|SECURITY|CHANGELOG|README|codebase|installer|findings)\.md)\b/g;

/** Examples of paths in a user's project, which are not ours. */
const examples =
  /^(src|test|docs|resources)\/([a-z]|app|lib|main|models?|utils?|foo|shop|sub|gen(erated)?|helper|checkout|evil)(\/|\.|$)/;

/** Names of files in other repositories are data, not references. */
const unchecked = /^(test\/fixtures|resources\/|package-lock|scripts\/check-references\.ts|docs\/symbench\.md)/;

function commentsOf(path: string): string[] {
  const lines = readSource(path).split('\n');
  if (path.endsWith('.md')) return lines;
  return lines.map((line) => /^\s*(?:\/?\*|\/\/|#).*|\/\/ .*/.exec(line)?.[0] ?? '');
}

function missingIn(path: string): string[] {
  return commentsOf(path).flatMap((text, index) => {
    const named = [...text.matchAll(fromRoot), ...text.matchAll(document)].map(([, name = '']) => name);
    const linked = path.endsWith('.md')
      ? [...text.matchAll(link)].map(([, target = '']) => normalize(join(dirname(path), target)))
      : [];
    return [...named.filter((name) => !examples.test(name)), ...linked]
      .filter((name) => !existsSync(join(root, name)))
      .map((name) => `${path}:${index + 1}: names \`${name}\`, which does not exist`);
  });
}

async function main(): Promise<never> {
  const files = (await listTrackedFiles()).filter(
    (path) => /\.(ts|mjs|md|sh|ps1|yml)$/.test(path) && !unchecked.test(path),
  );
  reportProblems(files.flatMap(missingIn), `${files.length} files name files that exist`);
}

if (import.meta.main) await main();
