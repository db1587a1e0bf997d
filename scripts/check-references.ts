// usage: bun scripts/check-references.ts
// Checks that every file of this project that a comment or a document names exists, and every heading that it names.
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

const behavior = 'docs/compatibility.md';

/** Returns the headings of a document, without code marks. */
function headingsOf(path: string): string[] {
  return [...readSource(path).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title.replaceAll('`', ''));
}

/** Returns the anchor of a heading, as Markdown renderers make it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

/** Returns the links of a document to headings that do not exist. */
function missingAnchorsIn(path: string): string[] {
  return [...readSource(path).matchAll(/\]\((?!\w+:)([^)#\s]*)#([^)\s]+)\)/g)].flatMap(
    ([, target = '', anchor = '']) => {
      const document = target === '' ? path : normalize(join(dirname(path), target));
      const isFound = existsSync(join(root, document)) && headingsOf(document).map(anchorOf).includes(anchor);
      return isFound ? [] : [`${path}: links to \`${target}#${anchor}\`, which is no heading`];
    },
  );
}

/** Returns the sections of {@link behavior} that a source names after its path and a comma, and that do not exist. */
function missingSectionsIn(path: string): string[] {
  const text = readSource(path)
    .replaceAll(/\n\s*(?:\*|\/\/) ?/g, ' ')
    .replaceAll('`', '');
  return [...text.matchAll(/docs\/compatibility\.md, ([^\n]{4,40})/g)].flatMap(([, named = '']) =>
    headingsOf(behavior).some((heading) => named.startsWith(heading))
      ? []
      : [`${path}: names the section \`${named}\`, which ${behavior} does not have`],
  );
}

async function main(): Promise<never> {
  const files = (await listTrackedFiles()).filter(
    (path) => /\.(ts|mjs|md|sh|ps1|yml)$/.test(path) && !unchecked.test(path),
  );
  const problems = files.flatMap((path) => [
    ...missingIn(path),
    ...(path.endsWith('.md') ? missingAnchorsIn(path) : missingSectionsIn(path)),
  ]);
  reportProblems(problems, `${files.length} files name files and sections that exist`);
}

if (import.meta.main) await main();
