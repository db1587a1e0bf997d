import { Option } from 'commander';
import { addCommand, type CliCommand, type Host } from '../command.ts';
import type { CheckFlags, MemoryEditFlags, PrefixFlags } from './memories.ts';

// Loaded when a command runs.
const loadMemories = () => import('./memories.ts');

const projectHelp = 'name or directory of the project (default: the working directory)';

/** Adds `memories …`. */
export function addMemoryCommands(program: CliCommand, host: Host): void {
  const memories = program
    .command('memories')
    .description('Manage memories: notes that agents keep for later sessions');
  addReading(memories, host);
  addWriting(memories, host);
  addReferences(memories, host);
}

function addReading(memories: CliCommand, { environment }: Host): void {
  addCommand(memories, 'list', 'serena memories list', 'serena memories list --topic global ~/shop')
    .description('List the memories of a project and the global ones')
    .argument('[project]', projectHelp)
    .option('-t, --topic <topic>', 'list only memories below this topic')
    .option('--json', 'print JSON')
    .action(async (project: string | undefined, flags: { topic?: string; json?: boolean }) =>
      (await loadMemories()).listMemories(flags, { project, environment }),
    );
  addCommand(memories, 'read', 'serena memories read core')
    .description('Print a memory')
    .argument('<name>', 'name of the memory')
    .argument('[project]', projectHelp)
    .action(async (name: string, project?: string) =>
      (await loadMemories()).readMemory(name, { project, environment }),
    );
}

function addWriting(memories: CliCommand, { environment }: Host): void {
  addCommand(memories, 'initialize', 'serena memories initialize')
    .description('Create the memory about maintaining memories if it is missing, and print a reference to it')
    .argument('[project]', projectHelp)
    .action(async (project?: string) => (await loadMemories()).initializeMemories({ project, environment }));
  addCommand(memories, 'write', 'serena memories write auth/login < notes.md')
    .description('Create or overwrite a memory')
    .argument('<name>', 'name of the memory')
    .argument('[project]', projectHelp)
    .option('--content <text>', 'content of the memory (default: read from stdin)')
    .option('--file <path>', 'file with the content')
    .action(async (name: string, project: string | undefined, flags: { content?: string; file?: string }) =>
      (await loadMemories()).writeMemory(name, flags, { project, environment }),
    );
  addCommand(memories, 'edit', "serena memories edit core --needle 'Python 3.12' --repl 'Python 3.13'")
    .description('Replace text in a memory')
    .argument('<name>', 'name of the memory')
    .argument('[project]', projectHelp)
    .requiredOption('--needle <text>', 'text or pattern to search for')
    .requiredOption('--repl <text>', 'replacement; with --mode regex, $!1 inserts group 1')
    .addOption(
      new Option('--mode <mode>', 'how to interpret the needle').choices(['literal', 'regex']).default('literal'),
    )
    .option('--allow-multiple-occurrences', 'replace all matches if there are several')
    .action(async (name: string, project: string | undefined, flags: MemoryEditFlags) =>
      (await loadMemories()).editMemory(name, flags, { project, environment }),
    );
  addMoving(memories, environment);
}

function addMoving(memories: CliCommand, environment: Host['environment']): void {
  addCommand(memories, 'rename', 'serena memories rename login auth/login')
    .description('Rename a memory and update the references to it')
    .argument('<old>', 'current name')
    .argument('<new>', 'new name')
    .argument('[project]', projectHelp)
    .action(async (from: string, to: string, project?: string) =>
      (await loadMemories()).renameMemory({ from, to }, { project, environment }),
    );
  addCommand(memories, 'delete', 'serena memories delete auth/login')
    .description('Delete a memory')
    .argument('<name>', 'name of the memory')
    .argument('[project]', projectHelp)
    .action(async (name: string, project?: string) =>
      (await loadMemories()).deleteMemory(name, { project, environment }),
    );
}

function addReferences(memories: CliCommand, { environment }: Host): void {
  addCommand(memories, 'check', 'serena memories check --include-unmarked')
    .description('Report broken references between memories')
    .argument('[project]', projectHelp)
    .option('--include-unmarked', 'also report memory names without the prefix `mem:`')
    .option('--fuzzy-matching', 'also report words similar to memory names; requires --include-unmarked')
    .option('--json', 'print JSON')
    .action(async (project: string | undefined, flags: CheckFlags) =>
      (await loadMemories()).checkMemories(flags, { project, environment }),
    );
  addCommand(memories, 'auto-prefix-references', 'serena memories auto-prefix-references --dry-run')
    .description('Add the prefix `mem:` to memory names that are meant as references')
    .argument('[project]', projectHelp)
    .option('--dry-run', 'report changes without writing them')
    .option('--include-flat-names', 'also prefix names without a topic, which may be ordinary words')
    .option('--include-read-only', 'also change read-only memories')
    .option('--include-global', 'also change global memories')
    .option('--json', 'print JSON')
    .action(async (project: string | undefined, flags: PrefixFlags) =>
      (await loadMemories()).prefixMemories(flags, { project, environment }),
    );
}
