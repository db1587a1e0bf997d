import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from '../../base/counted.ts';
import { messageOf } from '../../base/errors.ts';
import { memoryListing } from '../../memories/listing.ts';
import { ensureMaintenanceMemory } from '../../memories/maintenance.ts';
import { parseMemoryName, parseMemoryTopic } from '../../memories/names.ts';
import { replaceMatches } from '../../search/replace-matches.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { usageError } from '../usage.ts';
import { withMemories } from './with-memories.ts';

/** Project and environment of a command about memories. */
export interface MemoryScope {
  /** Name or directory of the project; absent for the working directory. */
  readonly project: string | undefined;
  readonly environment: Environment;
}

/** Creates the memory about maintaining memories if it is missing, and prints a reference to it. */
export async function initializeMemories({ project, environment }: MemoryScope): Promise<void> {
  await withMemories(project, environment, async ({ asUser }) => {
    // The user may write every memory that is not hidden.
    const name = await ensureMaintenanceMemory(asUser);
    print(name === undefined ? 'The configuration hides the memory about maintaining memories' : `mem:${name.text}`);
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
    if (flags.json) return print(JSON.stringify(memoryListing(list), undefined, 2));
    const section = (title: string, names: readonly { text: string }[]) =>
      names.length === 0 ? [] : [`${title}:`, ...names.map(({ text }) => `  ${text}`)];
    const lines = [...section('Memories', list.writable), ...section('Read-only memories', list.readOnly)];
    print(lines.length === 0 ? 'There are no memories' : lines.join('\n'));
  });
}

/** Prints a memory. */
export async function readMemory(name: string, { project, environment }: MemoryScope): Promise<void> {
  await withMemories(project, environment, async ({ asUser }) => {
    const text = await asUser.read(parseMemoryName(name));
    ownCaller.print(text.endsWith('\n') ? text : `${text}\n`);
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
    print(`Memory ${memory.text} written`);
  });
}

/** Deletes a memory; a missing one is no error. */
export async function deleteMemory(name: string, { project, environment }: MemoryScope): Promise<void> {
  const memory = parseMemoryName(name);
  await withMemories(project, environment, async ({ asUser }) => {
    print(`Memory ${memory.text} ${(await asUser.delete(memory)) ? 'deleted' : 'not found'}`);
  });
}

/** Renames a memory and updates the references to it. */
export async function renameMemory(
  names: { readonly from: string; readonly to: string },
  { project, environment }: MemoryScope,
): Promise<void> {
  const [from, to] = [parseMemoryName(names.from), parseMemoryName(names.to)];
  await withMemories(project, environment, async ({ asUser }) => {
    const { count, changed, unread } = await asUser.rename(from, to);
    print(`Memory ${from.text} renamed to ${to.text}`);
    if (count > 0) print(`Changed ${counted(count, 'reference')} in ${changed.map(({ text }) => text).join(', ')}`);
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
    print(`Memory ${memory.text} edited: ${counted(count, 'match', 'matches')}`);
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

function print(line: string): void {
  ownCaller.print(`${line}\n`);
}
