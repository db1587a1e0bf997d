import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { counted } from '../../base/counted.ts';
import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import {
  checkReferences,
  type MemoryFindings,
  type Prefixed,
  type PrefixResult,
  prefixReferences,
  type ReferenceCheck,
} from '../../memories/check-references.ts';
import { ensureMaintenanceMemory, type Memories, memoryListing } from '../../memories/memories.ts';
import { parseMemoryName, parseMemoryTopic } from '../../memories/names.ts';
import type { Project } from '../../project/project.ts';
import { replaceMatches } from '../../search/replace-matches.ts';
import { openMemories } from '../../session/open-memories.ts';
import { ownCaller } from '../caller.ts';
import { type CommandContext, withCommandContext } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { printJson, printLine, printText } from '../output.ts';
import { usageError } from '../report.ts';
import { projectArgument } from '../user.ts';

interface MemoryScope {
  /** Name or directory of the project; absent for the working directory. */
  readonly project: string | undefined;
  readonly environment: Environment;
}

/** Creates the memory about maintaining memories if it is missing, and prints a reference to it. */
export async function initializeMemories({ project, environment }: MemoryScope): Promise<void> {
  await withMemories(project, environment, async ({ asUser }) => {
    // The user may write every memory that is not hidden.
    const name = await ensureMaintenanceMemory(asUser);
    printLine(
      name === undefined ? 'The configuration hides the memory about maintaining memories' : `mem:${name.text}`,
    );
  });
}

/** Lists the memories, writable ones first. */
export async function listMemories(
  flags: { readonly topic?: string; readonly json?: boolean },
  { project, environment }: MemoryScope,
): Promise<void> {
  await withMemories(project, environment, async ({ asAgent }) => {
    const topic = flags.topic === undefined || flags.topic === '' ? undefined : parseMemoryTopic(flags.topic);
    const list = await asAgent.list(topic);
    for (const { missing, reason } of list.gaps) ownCaller.report(`${missing}: ${reason}\n`);
    if (flags.json) return printJson(memoryListing(list));
    const section = (title: string, names: readonly { text: string }[]) =>
      names.length === 0 ? [] : [`${title}:`, ...names.map(({ text }) => `  ${text}`)];
    const lines = [...section('Memories', list.writable), ...section('Read-only memories', list.readOnly)];
    printLine(lines.length === 0 ? 'There are no memories' : lines.join('\n'));
  });
}

export async function readMemory(name: string, { project, environment }: MemoryScope): Promise<void> {
  await withMemories(project, environment, async ({ asUser }) => {
    const text = await asUser.read(parseMemoryName(name));
    printText(text);
  });
}

/** Writes a memory: the given text, else the content of a file, else stdin. */
export async function writeMemory(
  name: string,
  flags: { readonly content?: string; readonly file?: string },
  { project, environment }: MemoryScope,
): Promise<void> {
  const memory = parseMemoryName(name);
  const text = flags.content ?? readText(flags.file, environment);
  await withMemories(project, environment, async ({ asUser }) => {
    await asUser.write(memory, text);
    printLine(`Memory ${memory.text} written`);
  });
}

/** Deletes a memory; a missing one is no error. */
export async function deleteMemory(name: string, { project, environment }: MemoryScope): Promise<void> {
  const memory = parseMemoryName(name);
  await withMemories(project, environment, async ({ asUser }) => {
    printLine(`Memory ${memory.text} ${(await asUser.delete(memory)) ? 'deleted' : 'not found'}`);
  });
}

export async function renameMemory(
  names: { readonly from: string; readonly to: string },
  { project, environment }: MemoryScope,
): Promise<void> {
  const [from, to] = [parseMemoryName(names.from), parseMemoryName(names.to)];
  await withMemories(project, environment, async ({ asUser }) => {
    const { count, changed, unread } = await asUser.rename(from, to);
    printLine(`Memory ${from.text} renamed to ${to.text}`);
    if (count > 0) printLine(`Changed ${counted(count, 'reference')} in ${changed.map(({ text }) => text).join(', ')}`);
    for (const { text } of unread) ownCaller.report(`References in ${text} were not changed: it is not UTF-8\n`);
  });
}

export interface MemoryEditFlags {
  readonly needle: string;
  readonly repl: string;
  readonly mode: 'literal' | 'regex';
  readonly allowMultipleOccurrences?: boolean;
}

/** Replaces the matches of a string or pattern in a memory. */
export async function editMemory(
  name: string,
  flags: MemoryEditFlags,
  { project: given, environment }: MemoryScope,
): Promise<void> {
  const memory = parseMemoryName(name);
  await withMemories(given, environment, async ({ asUser, project, context }) => {
    const draft = await asUser.open(memory);
    const { needle, repl, mode } = flags;
    const place = `the memory \`${memory.text}\``;
    const allowsMultiple = flags.allowMultipleOccurrences === true;
    const replacement = { needle, repl, mode, path: memory.text, place, allowsMultiple };
    const thread = { scanner: project.scanner, signal: context.call.signal };
    const count = await replaceMatches(draft, replacement, thread);
    await asUser.save(memory, draft);
    printLine(`Memory ${memory.text} edited: ${counted(count, 'match', 'matches')}`);
  });
}

function readText(file: string | undefined, { cwd }: Environment): string {
  if (file === undefined) return readFileSync(0, 'utf8');
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw usageError(`cannot read \`${file}\`: ${messageOf(error)}`, ['pass the path of a text file']);
  }
}

/** The project's and the global memories. */
interface UserMemories {
  /** As agents see them: some are read-only. */
  readonly asAgent: Memories;
  /** As the user sees them: all are writable. */
  readonly asUser: Memories;
  readonly project: Project;
  readonly context: CommandContext;
}

/**
 * Runs `work` with the memories of a project: the given one, else that of the working directory. Does not create a project.
 *
 * @throws {ExpectedError} `usage.invalid` for a directory that is not a project; `project.*`.
 */
export function withMemories<T>(
  given: string | undefined,
  environment: Environment,
  work: (memories: UserMemories) => Promise<T>,
): Promise<T> {
  return withCommandContext(environment, { prefix: 'memories' }, async (context) => {
    const { home, user, projects, call } = context;
    const { project } = await projects.open(await projectArgument(given, environment.cwd, user), { user });
    if (!user.projects.includes(project.root) && !existsSync(join(project.dataDirectory, 'project.yml'))) {
      throw usageError(`\`${project.root}\` is not a project`, [
        'name a project, or run this command in the directory of one',
        `run \`serena project create ${project.root}\` to create one there`,
      ]);
    }
    const parts = { home, user, scanner: project.scanner, signal: call.signal };
    const asAgent = openMemories(project, parts);
    const asUser = openMemories(project, { ...parts, isUser: true });
    return await work({ asAgent, asUser, project, context }).catch((error: unknown) => {
      throw isExpected(error, 'memory.not-found') ? notFound(error) : error;
    });
  });
}

/** Replaces the tool's hints, which are for agents. */
function notFound({ code, message, hints }: ExpectedError): ExpectedError {
  const near = hints.filter((hint) => hint.startsWith('did you mean'));
  return new ExpectedError(code, message, { hints: [...near, 'run `serena memories list` to list all memories'] });
}

export interface CheckFlags {
  readonly includeUnmarked?: boolean;
  readonly fuzzyMatching?: boolean;
  readonly json?: boolean;
}

/** Reports broken references and, with the flags, names that may be meant as references. */
export async function checkMemories(flags: CheckFlags, { project, environment }: MemoryScope): Promise<void> {
  const unmarked = flags.includeUnmarked === true;
  const similar = unmarked && flags.fuzzyMatching === true;
  if (flags.fuzzyMatching && !unmarked) {
    ownCaller.report('`--fuzzy-matching` has no effect without `--include-unmarked`\n');
  }
  await withMemories(project, environment, async ({ asAgent }) => {
    const check = await checkReferences(asAgent, { unmarked, similar });
    for (const { text } of check.unread) ownCaller.report(`Not checked: ${text}, which is not valid UTF-8\n`);
    if (flags.json) printJson(asJson(check));
    else ownCaller.print(render(check));
  });
}

function asJson({ findings, memoryCount, unread }: ReferenceCheck) {
  return {
    memories: memoryCount,
    unread: unread.map(({ text }) => text),
    findings: findings.map(({ memory, isReadOnly, stale, unmarked, similar }) => ({
      memory: memory.text,
      read_only: isReadOnly,
      stale,
      unmarked: unmarked.map(({ text, line, isSure }) => ({ text, line, confidence: isSure ? 'high' : 'low' })),
      similar,
    })),
  };
}

function render({ findings, memoryCount }: ReferenceCheck): string {
  const sections = [
    section('Broken references', findings, ({ stale }) =>
      stale.map(({ text, line, candidates }) => {
        const meant = candidates.map(({ name }) => `mem:${name}`).join(', ');
        return `${line}: mem:${text}${meant === '' ? '' : `; did you mean ${meant}?`}`;
      }),
    ),
    section('Memory names without `mem:` that are almost certainly references', findings, ({ unmarked }) =>
      unmarked.filter(({ isSure }) => isSure).map(({ text, line }) => `${line}: ${text}`),
    ),
    section('Memory names without `mem:` that may be ordinary words', findings, ({ unmarked }) =>
      unmarked.filter(({ isSure }) => !isSure).map(({ text, line }) => `${line}: ${text}`),
    ),
    section('Words that are similar to memory names', findings, ({ similar }) =>
      similar.map(({ text, line, candidate }) => `${line}: ${text}; did you mean mem:${candidate.name}?`),
    ),
  ].filter((text) => text !== '');
  if (sections.length === 0) return `No broken references in ${counted(memoryCount, 'memory', 'memories')}\n`;
  return sections.join('\n');
}

function section(
  title: string,
  findings: readonly MemoryFindings[],
  linesOf: (findings: MemoryFindings) => readonly string[],
): string {
  const parts = findings.flatMap((found) => {
    const lines = linesOf(found).map((line) => `    line ${line}\n`);
    return lines.length === 0 ? [] : [`  ${found.memory.text}${found.isReadOnly ? ' (read-only)' : ''}\n`, ...lines];
  });
  return parts.length === 0 ? '' : `${title}:\n${parts.join('')}`;
}

export interface PrefixFlags {
  readonly dryRun?: boolean;
  readonly includeFlatNames?: boolean;
  readonly includeReadOnly?: boolean;
  readonly includeGlobal?: boolean;
  readonly json?: boolean;
}

/** Adds `mem:` to names that are meant as references, and reports what was changed and what was not. */
export async function prefixMemories(flags: PrefixFlags, { project, environment }: MemoryScope): Promise<void> {
  const isDryRun = flags.dryRun === true;
  await withMemories(project, environment, async ({ asAgent, asUser }) => {
    const result = await prefixReferences(asAgent, asUser, {
      flatNames: flags.includeFlatNames === true,
      readOnly: flags.includeReadOnly === true,
      global: flags.includeGlobal === true,
      isDryRun,
    });
    if (!flags.json) return ownCaller.print(renderPrefixed(result, isDryRun));
    const { rewritten, left } = result;
    printJson({
      dry_run: isDryRun,
      rewritten: rewritten.map(plain),
      left: {
        flat_names: left.flatNames.map(plain),
        read_only: left.readOnly.map(plain),
        global: left.global.map(plain),
      },
    });
  });
}

function plain({ memory, names }: Prefixed) {
  return { memory: memory.text, names };
}

function renderPrefixed({ rewritten, left }: PrefixResult, isDryRun: boolean): string {
  const listed = (title: string, all: readonly Prefixed[]) =>
    all.length === 0 ? [] : [`${title}:`, ...all.map(({ memory, names }) => `  ${memory.text}: ${names.join(', ')}`)];
  const lines = [
    ...listed(isDryRun ? 'Would be prefixed' : 'Prefixed', rewritten),
    ...listed('Not prefixed, may be ordinary words (`--include-flat-names`)', left.flatNames),
    ...listed('Not prefixed, in read-only memories (`--include-read-only`)', left.readOnly),
    ...listed('Not prefixed, in global memories (`--include-global`)', left.global),
  ];
  return `${lines.length === 0 ? 'Every memory name already has the prefix `mem:`' : lines.join('\n')}\n`;
}
