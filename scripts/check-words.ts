// usage: bun scripts/check-words.ts [--write]
// Checks that no file uses more of the unwanted words than `excused-words.json` allows: those that were there when the
// words were chosen, and those that a file needs. With --write it lowers the allowances to what is left.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from './support/paths.ts';
import { reportProblems } from './support/report.ts';
import { listTrackedFiles, readSource } from './support/tracked-files.ts';

const wordsPath = 'scripts/unwanted-words.json';
const excusedPath = 'scripts/excused-words.json';

/** Regular expression → what to write. */
const Words = z.record(z.string(), z.string());
/** Path → the number of unwanted words that it may have. */
const Excused = z.record(z.string(), z.int().positive());

/** Texts of others, recorded answers, and the lists of words themselves. */
const unchecked =
  /^(test\/fixtures|test\/servers\/__answers__|docs\/glossary\.md|docs\/writing\.md|CHANGELOG\.md|LICENSE|package-lock|resources\/server-lock|scripts\/(unwanted|excused)-words)/;

interface Finding {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

function findIn(path: string, words: readonly (readonly [RegExp, string])[]): Finding[] {
  const lines = readSource(path).split('\n');
  return lines.flatMap((text, index) =>
    words.flatMap(([pattern, instead]) =>
      [...text.matchAll(pattern)].map(([word]) => ({ path, line: index + 1, word, instead })),
    ),
  );
}

function render({ path, line, word, instead }: Finding): string {
  return `${path}:${line}: \`${word}\`: write ${instead}`;
}

async function main(): Promise<void> {
  const words = Object.entries(Words.parse(JSON.parse(readSource(wordsPath)))).map(
    ([source, instead]) => [new RegExp(`\\b${source}\\b`, 'gi'), instead] as const,
  );
  const files = await listTrackedFiles();
  const checked = files.filter((path) => /\.(ts|mjs|md|yml|sh|ps1|json)$/.test(path) && !unchecked.test(path));
  const byFile = new Map(checked.map((path) => [path, findIn(path, words)]));
  const excused = Excused.parse(JSON.parse(readSource(excusedPath)));
  if (process.argv.includes('--write')) {
    const left = Object.entries(excused).map(
      ([path, allowed]) => [path, Math.min(allowed, byFile.get(path)?.length ?? 0)] as const,
    );
    const lowered = Object.fromEntries(left.filter(([, allowed]) => allowed > 0));
    writeFileSync(join(root, excusedPath), `${JSON.stringify(lowered, undefined, 2)}\n`);
    return;
  }
  const problems = [...byFile].flatMap(([path, found]) =>
    found.length > (excused[path] ?? 0)
      ? [`${path}: ${found.length} unwanted words, ${excused[path] ?? 0} allowed`, ...found.map(render)]
      : [],
  );
  const stale = Object.entries(excused)
    .filter(([path, allowed]) => (byFile.get(path)?.length ?? 0) < allowed)
    .map(([path]) => `${path}: has fewer unwanted words than ${excusedPath} allows: npm run format`);
  reportProblems([...problems, ...stale], `${checked.length} files without unwanted words`);
}

if (import.meta.main) await main();
