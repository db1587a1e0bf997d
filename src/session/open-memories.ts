import { join } from 'node:path';
import type { DataDirectory } from '../config/data-directory.ts';
import { memoryEdits } from '../config/project-state.ts';
import type { UserConfig } from '../config/user-config.ts';
import type { MemoryDirectory } from '../memories/files.ts';
import { Memories } from '../memories/memories.ts';
import type { Project } from '../project/project.ts';
import type { Scanner } from '../search/scanner.ts';

/** What memories need besides a project. */
export interface MemoriesParts {
  /** Absolute path of the user's home directory for our files. */
  readonly home: string;
  readonly user: UserConfig;
  /** Runs the patterns of the configuration. */
  readonly scanner: Scanner;
  readonly signal: AbortSignal;
  /** Whether it is the user who asks: patterns that keep agents from writing do not hold then. */
  readonly isUser?: boolean;
}

/** Returns the memories of a project and the global ones; the latter alone without a project. */
export function openMemories(project: Project | undefined, parts: MemoriesParts): Memories {
  const { home, user, scanner, signal, isUser = false } = parts;
  const { read_only_memory_patterns, ignored_memory_patterns } = user;
  const { readOnlyMemoryPatterns = [], ignoredMemoryPatterns = [] } = project?.config ?? {};
  return new Memories({
    projectDirectory: project && memoriesOf(project.data),
    globalDirectory: join(home, 'memories', 'global'),
    editsDirectory: memoryEdits(home),
    patterns: {
      read_only_memory_patterns: isUser ? [] : [...read_only_memory_patterns, ...readOnlyMemoryPatterns],
      ignored_memory_patterns: [...ignored_memory_patterns, ...ignoredMemoryPatterns],
    },
    matchWhole: (patterns, texts) => scanner.wholeMatches({ patterns, texts }, signal),
    signal,
  });
}

function memoriesOf({ path, root, relative, links }: DataDirectory): MemoryDirectory {
  return { path: join(path, 'memories'), root, relative: join(relative, 'memories'), links };
}
