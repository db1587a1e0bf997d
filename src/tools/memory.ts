import { z } from 'zod';
import { ExpectedError } from '../base/errors.ts';
import { namedFiles } from '../base/gap.ts';
import { memoryListing } from '../memories/memories.ts';
import { parseMemoryName, parseMemoryTopic } from '../memories/names.ts';
import type { RenamedReferences } from '../memories/references.ts';
import { replaceMatches } from '../search/replace-matches.ts';
import { countCharacters } from '../text/characters.ts';
import { flag } from './parameters.ts';
import { defineTool } from './tool.ts';

const memoryQuery = { toolset: 'memory', effect: 'reads', needs: 'project' } as const;
const memoryEdit = { toolset: 'memory', effect: 'edits', needs: 'project' } as const;

const memoryName = z.string().describe('Such as core or auth/login; global/… applies to all projects.');

/** Name of the parameter `memory_name` in older clients. */
const memoryNameAliases = { memory_file_name: 'memory_name' } as const;

const writeMemory = defineTool({
  ...memoryEdit,
  name: 'write_memory',
  description: `Stores a Markdown note about the project for later conversations, replacing any memory of that
name. Keep lasting facts that the code does not show at a glance.`,
  input: () => ({
    memory_name: memoryName.describe(
      'Such as core or auth/login; global/… applies to all projects, only if the user asks.',
    ),
    content: z.string().describe('Complete text.'),
    max_chars: z.int().min(-1).default(-1).describe('Maximum text length; -1 = configured.'),
  }),
  aliases: { ...memoryNameAliases, max_answer_chars: 'max_chars' },
  async run({ memories, limits }, { memory_name, content, max_chars }) {
    const name = parseMemoryName(memory_name);
    const limit = max_chars === -1 ? limits.maxAnswerChars : max_chars;
    const sizeChars = countCharacters(content);
    if (sizeChars > limit) {
      throw new ExpectedError('memory.too-long', `the text has ${sizeChars} characters; the limit is ${limit}`, {
        hints: ['shorten it, or split it into several memories that refer to each other'],
      });
    }
    await memories.write(name, content);
    return { value: `Memory ${name.text} written.` };
  },
});

const readMemory = defineTool({
  ...memoryQuery,
  name: 'read_memory',
  description: `Reads a memory, a note from an earlier conversation. Read the memories relevant to the
task.`,
  input: () => ({ memory_name: memoryName }),
  aliases: memoryNameAliases,
  run: async ({ memories }, { memory_name }) => ({ value: await memories.read(parseMemoryName(memory_name)) }),
});

const listMemories = defineTool({
  ...memoryQuery,
  name: 'list_memories',
  description: 'Lists the names of memories; global/… applies to all projects.',
  input: () => ({
    topic: z.string().default('').describe('Topic, such as auth or global/style; empty = all.'),
  }),
  async run({ memories }, { topic }) {
    const list = await memories.list(topic === '' ? undefined : parseMemoryTopic(topic));
    return { value: memoryListing(list), gaps: list.gaps };
  },
});

const deleteMemory = defineTool({
  ...memoryEdit,
  name: 'delete_memory',
  description: 'Deletes a memory. Only if the user asks or agrees. Returns whether it existed.',
  input: () => ({ memory_name: memoryName }),
  aliases: memoryNameAliases,
  async run({ memories }, { memory_name }) {
    const name = parseMemoryName(memory_name);
    const wasThere = await memories.delete(name);
    return { value: `Memory ${name.text} ${wasThere ? 'deleted' : 'not found'}.` };
  },
});

const renameMemory = defineTool({
  ...memoryEdit,
  name: 'rename_memory',
  description: `Renames a memory, also into or out of a topic or global/. Updates references to it (\`mem:NAME\`),
except in read-only memories.`,
  input: () => ({
    old_name: memoryName.describe('Current name.'),
    new_name: memoryName.describe('New name, not yet in use.'),
  }),
  async run({ memories }, { old_name, new_name }) {
    const [from, to] = [parseMemoryName(old_name), parseMemoryName(new_name)];
    const references = await memories.rename(from, to);
    const { count, changed, unread } = references;
    const updated = count === 0 ? '' : ` Updated references: ${count} (memories: ${changed.length}).`;
    return {
      value: `Memory ${from.text} renamed to ${to.text}.${updated}`,
      notes: readOnlyNotes(references, from.text),
      gaps: unread.map(({ text }) => ({
        missing: `References in the memory \`${text}\` were not changed`,
        reason: 'it is not UTF-8',
        next: 'Ask the user to convert the file',
      })),
    };
  },
});

function readOnlyNotes({ leftAlone }: RenamedReferences, oldName: string): string[] {
  if (leftAlone.length === 0) return [];
  const names = namedFiles(leftAlone.map(({ text }) => text));
  return [`Read-only memories that still refer to \`mem:${oldName}\`: ${names}`];
}

const editMemory = defineTool({
  ...memoryEdit,
  name: 'edit_memory',
  description: `Replaces literal text or a regex match in a memory. Fails if there are no, several or ambiguous
matches.`,
  input: () => ({
    memory_name: memoryName,
    needle: z.string().describe('Text or regex to find.'),
    repl: z.string().describe('Replacement; in regex mode, $!1 = group 1, $!0 = match.'),
    mode: z.enum(['literal', 'regex']).describe('Exact text or Python regex (DOTALL, MULTILINE).'),
    allow_multiple_occurrences: flag('Replace all matches instead of failing.'),
  }),
  aliases: { ...memoryNameAliases, regex: { name: 'needle', implies: { mode: 'regex' } } },
  async run({ project, memories, call }, input) {
    const { needle, repl, mode } = input;
    const name = parseMemoryName(input.memory_name);
    const draft = await memories.open(name);
    const place = `the memory \`${name.text}\``;
    const allowsMultiple = input.allow_multiple_occurrences;
    const replacement = { needle, repl, mode, path: name.text, place, allowsMultiple };
    await replaceMatches(draft, replacement, { scanner: project.scanner, signal: call.signal });
    await memories.save(name, draft);
    return { value: `Memory ${name.text} edited successfully.` };
  },
});

/** In the order in which clients list them. */
export const memoryTools = [writeMemory, readMemory, listMemories, deleteMemory, renameMemory, editMemory];
