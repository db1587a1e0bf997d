// usage: bun scripts/check-style.ts
// Checks what the linter has no rule for: type assertions, suppressed type errors, default exports, and host names of
// package registries or local paths in tracked files.
import { homedir } from 'node:os';
import { findByHouseRules } from './support/house-rules.ts';
import { root } from './support/paths.ts';
import { reportProblems } from './support/report.ts';
import { listSources, listTrackedFiles, readSource } from './support/tracked-files.ts';

const sizes = new Set(['useMaxParams', 'noExcessiveLinesPerFunction']);

/** Only package managers may know their registries, so that mirrors, proxies and air gaps need no change here. */
const registryHost = new RegExp(
  [
    String.raw`\b[\w.-]*npmjs\.(org|com)`,
    String.raw`\b[\w.-]*yarnpkg\.com`,
    String.raw`\b(npm\.)?jsr\.io`,
    String.raw`\bpypi\.(org|io)`,
    String.raw`\b[\w.-]*pythonhosted\.org`,
    String.raw`\b(proxy|sum)\.golang\.org`,
    String.raw`\b(static\.)?crates\.io`,
    String.raw`\brubygems\.org`,
    String.raw`\bapi\.nuget\.org`,
  ].join('|'),
  'i',
);

// `me` and `user` are allowed in examples.
const machinePath =
  /(?<![\w.}\])*-])(\/root\/|\/work\/|\/home\/(?!me\/|user\/)[a-z][\w-]*\/|\/Users\/(?!me\/|user\/)[A-Za-z][\w-]*\/|[A-Z]:\\Users\\)/;
/** Patterns forbidden in sources, with the message for each. */
const forbidden: readonly (readonly [pattern: RegExp, problem: string])[] = [
  [/@ts-(ignore|nocheck|expect-error)/, 'suppresses a type error'],
  [
    /['"`]Cannot (?!delete|find (name|module))|hints: \[['"`][A-Z][a-z]/,
    'begins a message or hint with a capital letter',
  ],
  [/\)\.(rejects|resolves)\./, 'waits inside a second event loop, where a test may hang: use `rejection()`'],
];

/** The only readers of the platform besides defaults of parameters: so each branch can be tested on every platform. */
const readsPlatform = new Set(['src/install/target.ts', 'src/languages/solidity/servers.ts']);
const platformRead = /(?<!\bplatform(: \w+)? = )process\.platform|\bplatform\b[^=]*\} = process\b/;

/** Returns the lines that decide by the platform without a parameter for it. */
function findPlatformReads(path: string): string[] {
  if (!path.startsWith('src/') || readsPlatform.has(path)) return [];
  const lines = readSource(path).split('\n');
  return lines.flatMap((line, index) =>
    platformRead.test(line) ? [`${path}:${index + 1}: reads the platform: take it as a parameter instead`] : [],
  );
}

async function findInSources(): Promise<string[]> {
  const files = await listSources('src', 'scripts', 'bench', 'test');
  const findings = (await findByHouseRules(files)).filter(({ rule }) => !sizes.has(rule));
  const forbiddenLines = files.flatMap((path) =>
    readSource(path)
      .split('\n')
      .flatMap((line, index) =>
        forbidden.flatMap(([pattern, problem]) => (pattern.test(line) ? [`${path}:${index + 1}: ${problem}`] : [])),
      ),
  );
  // This file contains the patterns themselves.
  const isInThisFile = (problem: string) => problem.startsWith('scripts/check-style.ts:');
  return [
    ...findings.map(({ path, firstLine, message }) => `${path}:${firstLine}: ${message}`),
    ...forbiddenLines.filter((problem) => !isInThisFile(problem)),
    ...files.flatMap(findPlatformReads),
  ];
}

function findInText(path: string, machine: readonly string[]): string[] {
  const text = readSource(path);
  // Skip binary files.
  if (text.includes('\0')) return [];
  return text.split('\n').flatMap((line, index) => {
    const location = `${path}:${index + 1}`;
    const found: string[] = [];
    const host = registryHost.exec(line)?.[0];
    if (host !== undefined) found.push(`${location}: names the host of a package registry: \`${host}\``);
    const local = machinePath.exec(line)?.[0] ?? machine.find((directory) => line.includes(`${directory}/`));
    if (local !== undefined) found.push(`${location}: names a local path: \`${local}\``);
    return found;
  });
}

async function main(): Promise<never> {
  const files = await listTrackedFiles();
  const machine = [root, homedir()].filter((directory) => directory.split('/').length > 2);
  const problems = [
    ...(await findInSources()),
    ...files.filter((path) => path !== 'package-lock.json').flatMap((path) => findInText(path, machine)),
  ];
  reportProblems(problems, `${files.length} files in style`);
}

if (import.meta.main) await main();
