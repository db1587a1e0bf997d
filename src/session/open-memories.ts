import { join } from 'node:path';
import { homePaths } from '../base/home.ts';
import { type DataDirectory, memoryEdits } from '../config/data-directory.ts';
import type { UserConfig } from '../config/user-config.ts';
import type { MemoryDirectory } from '../memories/files.ts';
import { Memories } from '../memories/memories.ts';
import type { Project } from '../project/project.ts';
import type { Scanner } from '../search/scanner.ts';

/** Context of memories besides the project. */
export interface MemoriesParts {
  /** Absolute path of `SERENA_HOME`. */
  readonly home: string;
  readonly user: UserConfig;
  /** Matches the memory patterns of the configuration. */
  readonly scanner: Scanner;
  readonly signal: AbortSignal;
  /** True for commands of the user: read-only patterns restrict agents only. */
  readonly isUser?: boolean;
}

/** Returns the global memories and, if there is a project, its own. */
export function openMemories(project: Project | undefined, parts: MemoriesParts): Memories {
  const { home, user, scanner, signal, isUser = false } = parts;
  const { read_only_memory_patterns, ignored_memory_patterns } = user;
  const {
    read_only_memory_patterns: readOnlyMemoryPatterns = [],
    ignored_memory_patterns: ignoredMemoryPatterns = [],
  } = project?.config ?? {};
  return new Memories({
    projectDirectory: project && memoriesOf(project.data),
    globalDirectory: homePaths(home).globalMemories,
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
