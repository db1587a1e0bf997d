import { type Command, Option } from 'commander';
import { addExamples, type Host } from '../host.ts';
import type { CheckFlags, PrefixFlags } from './check.ts';
import type { MemoryEditFlags } from './memories.ts';

const projectHelp = 'name or directory of the project (default: the working directory)';

/** Adds `memories …`. */
export function addMemoryCommands(program: Command, host: Host): void {
  const memories = program
    .command('memories')
    .description('Memories: what agents write down for those that come later');
  addReading(memories, host);
  addWriting(memories, host);
  addReferences(memories, host);
}

function addReading(memories: Command, { environment }: Host): void {
  const list = memories
    .command('list')
    .description('List the memories of a project and those of all projects')
    .argument('[project]', projectHelp)
    .option('-t, --topic <topic>', 'only those below this topic')
    .option('--json', 'print JSON')
    .action(async (project: string | undefined, flags: { topic?: string; json?: boolean }) => {
      const { listMemories } = await import('./memories.ts');
      await listMemories(flags, { project, environment });
    });
  addExamples(list, 'serena memories list', 'serena memories list --topic global ~/shop');
  const read = memories
    .command('read')
    .description('Print a memory')
    .argument('<name>', 'its name')
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
    .description('Make sure that there is a memory about how memories are kept, and print the reference to it')
    .argument('[project]', projectHelp)
    .action(async (project: string | undefined) => {
      const { initializeMemories } = await import('./memories.ts');
      await initializeMemories({ project, environment });
    });
  addExamples(initialize, 'serena memories initialize');
  const write = memories
    .command('write')
    .description('Write a memory, over one that is there')
    .argument('<name>', 'its name')
    .argument('[project]', projectHelp)
    .option('--content <text>', 'its text (default: what stands on stdin)')
    .option('--file <path>', 'a file that holds its text')
    .action(async (name: string, project: string | undefined, flags: { content?: string; file?: string }) => {
      const { writeMemory } = await import('./memories.ts');
      await writeMemory(name, flags, { project, environment });
    });
  addExamples(write, 'serena memories write auth/login < notes.md');
  const edit = memories
    .command('edit')
    .description('Replace text in a memory')
    .argument('<name>', 'its name')
    .argument('[project]', projectHelp)
    .requiredOption('--needle <text>', 'text or pattern to look for')
    .requiredOption('--repl <text>', 'what takes its place; in a pattern $!1 stands for group 1')
    .addOption(new Option('--mode <mode>', 'what the needle is').choices(['literal', 'regex']).default('literal'))
    .option('--allow-multiple-occurrences', 'replace every match where there are several')
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
    .description('Give a memory another name; the references to it follow')
    .argument('<old>', 'the name that it has')
    .argument('<new>', 'the name that it shall have')
    .argument('[project]', projectHelp)
    .action(async (from: string, to: string, project: string | undefined) => {
      const { renameMemory } = await import('./memories.ts');
      await renameMemory({ from, to }, { project, environment });
    });
  addExamples(rename, 'serena memories rename login auth/login');
  const remove = memories
    .command('delete')
    .description('Delete a memory')
    .argument('<name>', 'its name')
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
    .description('Report references between memories that lead nowhere')
    .argument('[project]', projectHelp)
    .option('--include-unmarked', 'also names of memories without `mem:` before them')
    .option('--fuzzy-matching', 'also words that are nearly names; with --include-unmarked')
    .option('--json', 'print JSON')
    .action(async (project: string | undefined, flags: CheckFlags) => {
      const { checkMemories } = await import('./check.ts');
      await checkMemories(flags, { project, environment });
    });
  addExamples(check, 'serena memories check --include-unmarked');
  const prefix = memories
    .command('auto-prefix-references')
    .description('Put `mem:` before names of memories that are meant as references')
    .argument('[project]', projectHelp)
    .option('--dry-run', 'report only')
    .option('--include-flat-names', 'also short names without a topic, which may be plain words')
    .option('--include-read-only', 'also in memories that agents may not write')
    .option('--include-global', 'also in the memories of every project')
    .option('--json', 'print JSON')
    .action(async (project: string | undefined, flags: PrefixFlags) => {
      const { prefixMemories } = await import('./check.ts');
      await prefixMemories(flags, { project, environment });
    });
  addExamples(prefix, 'serena memories auto-prefix-references --dry-run');
}
