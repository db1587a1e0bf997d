import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { copyFixture } from '../../../test/support/workspace.ts';
import { Scratch } from '../edits/scratch.ts';
import { languages } from '../languages.ts';
import type { BenchPackage } from '../model.ts';
import { ensurePackage, packageKey } from '../packages.ts';
import { usualSeed } from '../run-package.ts';
import { sourceFiles } from '../running/source-files.ts';
import { shuffle } from '../sample.ts';

/** A project that both builds are asked about: a package of the benchmark, or a fixture of the conformance tests. */
export interface Subject {
  /** A language of the benchmark, or `fixtures`. */
  readonly language: string;
  /** Unique; names files and directories. */
  readonly name: string;
  /** The share of this project in the symbols of its language. */
  readonly share: number;
  /** Keys of `project.yml`, for example another language server than the default one. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Returns the absolute path of its files. */
  sources(): Promise<string>;
  /** Returns the paths of the files whose symbols are asked about. */
  files(copy: Scratch): string[];
}

/** Fixture of a language of the benchmark → the servers besides the default one that the conformance tests ask about it. */
const moreServers: Readonly<Record<string, readonly string[]>> = {
  typescript: ['typescript_vts', 'typescript_native', 'deno'],
  python: ['python_jedi', 'python_pylsp', 'python_basedpyright', 'python_pyrefly', 'python_ty', 'python_zuban'],
};

/** Servers that the conformance tests ask about the fixture of the same name. */
const namedLikeFixtures =
  'angular astro bash bsl fortran html json m68k mdx php prisma protobuf scss svelte terraform toml typespec vue yaml'.split(
    ' ',
  );

/** Other fixtures, each with its server, if that is not a default one. */
const otherFixtures = [
  ...namedLikeFixtures.map((id) => [id, id] as const),
  ...([
    ['latex', 'latex_badness'],
    ['php', 'php_phpantom'],
    ['r', 'r_arity'],
    ['robot', 'robotframework'],
  ] as const),
  ...([
    ['monorepo', undefined],
    ['tools', undefined],
  ] as const),
];

const byServer = { symbol_source: 'server' };
const bySyntax = { symbol_source: 'syntax' };
/** Number of symbols of such a project, as a part of that of a language. */
const smallShare = 0.1;

/** Returns the projects of the named languages; of all if none is named. */
export function subjectsOf(names: readonly string[]): Subject[] {
  const isNamed = (language: string) => names.length === 0 || names.includes(language);
  const ofBenchmark = languages.flatMap(({ packages }) => [
    ...packages.map((pack) => packageSubject(pack, 1 / packages.length)),
    ...packages.slice(0, 1).flatMap(asSmall),
  ]);
  const others = otherFixtures.map(([fixture, server]) => fixtureSubject('fixtures', fixture, server));
  const syntax = withSyntax(fixtureSubject('fixtures', 'syntax'));
  return [...ofBenchmark, ...others, syntax].filter(({ language }) => isNamed(language));
}

/** Returns what is asked little about: the package by its syntax trees, and the fixture of its language. */
function asSmall(pack: BenchPackage): Subject[] {
  const { language } = pack;
  const servers = [undefined, ...(moreServers[language] ?? [])];
  return [
    withSyntax(packageSubject(pack, smallShare)),
    ...servers.map((server) => fixtureSubject(language, language, server)),
  ];
}

function packageSubject(pack: BenchPackage, share: number): Subject {
  return {
    language: pack.language,
    name: packageKey(pack),
    share,
    settings: byServer,
    sources: () => ensurePackage(pack),
    files: ({ directory }) => sourceFiles(pack, directory),
  };
}

/** Lets syntax trees answer what they can. */
function withSyntax(subject: Subject): Subject {
  return { ...subject, name: `${subject.name}-by-syntax`, settings: bySyntax };
}

/** Returns one of the small projects of the conformance tests, all files of which are asked about. */
function fixtureSubject(language: string, fixture: string, server?: string): Subject {
  return {
    language,
    name: `fixture-${server ?? fixture}`,
    share: smallShare,
    settings: { ...byServer, ...(server === undefined ? {} : { language_servers: [server] }) },
    sources: () => Promise.resolve(copyFixture(fixture).root),
    files: ({ original }) => [...original.keys()].filter((file) => extname(file) !== '').sort(),
  };
}

/** A copy of a project that is ready to be asked about. */
export interface Prepared {
  readonly copy: Scratch;
  readonly files: readonly string[];
  /** Names the project with a hash of its content: answers about another content are not used. */
  readonly key: string;
}

/** Copies the project below `cache`, with settings that allow all tools that read or have dry runs, and a commit. */
export async function prepare(subject: Subject, cache: string): Promise<Prepared> {
  const copy = new Scratch(await subject.sources(), join(cache, 'copies', subject.name));
  const hash = createHash('sha256');
  for (const [path, content] of [...copy.original].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(path).update(content);
  const files = subject.files(copy);
  mkdirSync(join(copy.directory, '.serena'), { recursive: true });
  const settings = {
    project_name: subject.name,
    included_optional_tools: ['move_symbol', 'code_actions', 'get_diagnostics_for_symbol'],
    ...subject.settings,
  };
  // JSON is YAML, too.
  writeFileSync(join(copy.directory, '.serena/project.yml'), JSON.stringify(settings));
  commitEarlierVersion(copy, shuffle(files, usualSeed).slice(0, 3));
  return { copy, files, key: `${subject.name}-${hash.digest('hex').slice(0, 12)}` };
}

/** Makes the copy a Git repository in whose only commit the second halves of some files are missing. */
function commitEarlierVersion({ directory, original }: Scratch, shortened: readonly string[]): void {
  // The hash of the commit stands in answers.
  const date = '2020-01-01T00:00:00Z';
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], {
      cwd: directory,
      env,
      stdio: 'ignore',
    });
  git('init', '--quiet');
  for (const file of shortened) {
    const lines = original.get(file)?.split('\n') ?? [];
    writeFileSync(join(directory, file), lines.slice(0, lines.length / 2).join('\n'), 'latin1');
  }
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message=Earlier');
  for (const file of shortened) writeFileSync(join(directory, file), original.get(file) ?? '', 'latin1');
}
