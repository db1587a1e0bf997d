import { type Command, Option } from 'commander';
import { addExamples, type Host } from '../command.ts';
import type { CheckFlags, MemoryEditFlags, PrefixFlags } from './memories.ts';

const projectHelp = 'name or directory of the project (default: the working directory)';

/** Adds `memories …`. */
export function addMemoryCommands(program: Command, host: Host): void {
  const memories = program
    .command('memories')
    .description('Manage memories: notes that agents keep for later sessions');
  addReading(memories, host);
  addWriting(memories, host);
  addReferences(memories, host);
}

function addReading(memories: Command, { environment }: Host): void {
  const list = memories
    .command('list')
    .description('List the memories of a project and the global ones')
    .argument('[project]', projectHelp)
    .option('-t, --topic <topic>', 'list only memories below this topic')
    .option('--json', 'print JSON')
    .action(async (project: string | undefined, flags: { topic?: string; json?: boolean }) => {
      const { listMemories } = await import('./memories.ts');
      await listMemories(flags, { project, environment });
    });
  addExamples(list, 'serena memories list', 'serena memories list --topic global ~/shop');
  const read = memories
    .command('read')
    .description('Print a memory')
    .argument('<name>', 'name of the memory')
    .argument('[project]', projectHelp)
    .action(async (name: string, project: string | undefined) => {
      const { readMemory } = await import('./memories.ts');
      await readMemory(name, { project, environment });
    });
  addExamples(read, 'serena memories read core');
}

function addWriting(memories: Command, { environment }: Host): void {
  const initialize = memories
    .command('initialize')
    .description('Create the memory about maintaining memories if it is missing, and print a reference to it')
    .argument('[project]', projectHelp)
    .action(async (project: string | undefined) => {
      const { initializeMemories } = await import('./memories.ts');
      await initializeMemories({ project, environment });
    });
  addExamples(initialize, 'serena memories initialize');
  const write = memories
    .command('write')
    .description('Create or overwrite a memory')
    .argument('<name>', 'name of the memory')
    .argument('[project]', projectHelp)
    .option('--content <text>', 'content of the memory (default: read from stdin)')
    .option('--file <path>', 'file with the content')
    .action(async (name: string, project: string | undefined, flags: { content?: string; file?: string }) => {
      const { writeMemory } = await import('./memories.ts');
      await writeMemory(name, flags, { project, environment });
    });
  addExamples(write, 'serena memories write auth/login < notes.md');
  const edit = memories
    .command('edit')
    .description('Replace text in a memory')
    .argument('<name>', 'name of the memory')
    .argument('[project]', projectHelp)
    .requiredOption('--needle <text>', 'text or pattern to search for')
    .requiredOption('--repl <text>', 'replacement; with --mode regex, $!1 inserts group 1')
    .addOption(
      new Option('--mode <mode>', 'how to interpret the needle').choices(['literal', 'regex']).default('literal'),
    )
    .option('--allow-multiple-occurrences', 'replace all matches if there are several')
    .action(async (name: string, project: string | undefined, flags: MemoryEditFlags) => {
      const { editMemory } = await import('./memories.ts');
      await editMemory(name, flags, { project, environment });
    });
  addExamples(edit, "serena memories edit core --needle 'Python 3.12' --repl 'Python 3.13'");
  addMoving(memories, environment);
}

function addMoving(memories: Command, environment: Host['environment']): void {
  const rename = memories
    .command('rename')
    .description('Rename a memory and update the references to it')
    .argument('<old>', 'current name')
    .argument('<new>', 'new name')
    .argument('[project]', projectHelp)
    .action(async (from: string, to: string, project: string | undefined) => {
      const { renameMemory } = await import('./memories.ts');
      await renameMemory({ from, to }, { project, environment });
    });
  addExamples(rename, 'serena memories rename login auth/login');
  const remove = memories
    .command('delete')
    .description('Delete a memory')
    .argument('<name>', 'name of the memory')
    .argument('[project]', projectHelp)
    .action(async (name: string, project: string | undefined) => {
      const { deleteMemory } = await import('./memories.ts');
      await deleteMemory(name, { project, environment });
    });
  addExamples(remove, 'serena memories delete auth/login');
}

function addReferences(memories: Command, { environment }: Host): void {
  const check = memories
    .command('check')
    .description('Report broken references between memories')
    .argument('[project]', projectHelp)
    .option('--include-unmarked', 'also report memory names without the prefix `mem:`')
    .option('--fuzzy-matching', 'also report words similar to memory names; requires --include-unmarked')
    .option('--json', 'print JSON')
    .action(async (project: string | undefined, flags: CheckFlags) => {
      const { checkMemories } = await import('./memories.ts');
      await checkMemories(flags, { project, environment });
    });
  addExamples(check, 'serena memories check --include-unmarked');
  const prefix = memories
    .command('auto-prefix-references')
    .description('Add the prefix `mem:` to memory names that are meant as references')
    .argument('[project]', projectHelp)
    .option('--dry-run', 'report changes without writing them')
    .option('--include-flat-names', 'also prefix names without a topic, which may be ordinary words')
    .option('--include-read-only', 'also change read-only memories')
    .option('--include-global', 'also change global memories')
    .option('--json', 'print JSON')
    .action(async (project: string | undefined, flags: PrefixFlags) => {
      const { prefixMemories } = await import('./memories.ts');
      await prefixMemories(flags, { project, environment });
    });
  addExamples(prefix, 'serena memories auto-prefix-references --dry-run');
}
