import { ExpectedError, isExpected } from '../base/errors.ts';
import type { Gap } from '../base/gap.ts';
import { nearest } from '../base/nearest.ts';
import { commitSteps, type Step } from '../edits/commit.ts';
import { encodeNewText, type FileDraft } from '../edits/file-draft.ts';
import { memoryScope } from '../edits/scope.ts';
import { resources } from '../generated/resources.ts';
import { findMemoryFiles, type MemoryDirectory, type MemoryFile, memoryFile, readMemoryFile } from './files.ts';
import { type MemoryName, type MemoryTopic, memoryInFile, parseMemoryName } from './names.ts';
import { memoryCodec, memoryDraft, planRename, type RenamedReferences, targetOf } from './references.ts';

type PatternKey = 'read_only_memory_patterns' | 'ignored_memory_patterns';

interface MemoriesOptions {
  /** Directory of the project's memories; `undefined` without a project. */
  readonly projectDirectory: MemoryDirectory | undefined;
  /** Absolute path of the directory of the global memories. */
  readonly globalDirectory: string;
  /** Absolute path of the directory for journals; never in a project. */
  readonly editsDirectory: string;
  /** Regular expressions in Python syntax by configuration key; they must match whole names. */
  readonly patterns: Readonly<Record<PatternKey, readonly string[]>>;
  readonly signal: AbortSignal;
  /**
   * Returns for each text whether one of `patterns` matches all of it.
   *
   * @throws {ExpectedError} `search.bad-pattern`, `search.too-slow`.
   */
  matchWhole(patterns: readonly string[], texts: readonly string[]): Promise<readonly boolean[]>;
}

/** The names of memories, sorted. */
interface MemoryList {
  readonly writable: readonly MemoryName[];
  readonly readOnly: readonly MemoryName[];
  /** What may be missing from the list. */
  readonly gaps: readonly Gap[];
}

/**
 * The project's and the global memories, for one call: see docs/compatibility.md, Memories. Reading creates nothing on
 * disk.
 *
 * Every method may throw `config.invalid` for a bad pattern, and `memory.ignored` for a name that the configuration
 * hides.
 */
export class Memories {
  readonly #options: MemoriesOptions;

  constructor(options: MemoriesOptions) {
    this.#options = options;
  }

  /** Returns all memories that are not hidden, or those below a topic. */
  async list(topic?: MemoryTopic): Promise<MemoryList> {
    const { names, gaps } = this.#find(topic);
    const isIgnored = await this.#matches('ignored_memory_patterns', names);
    const visible = names.filter((_, index) => !isIgnored[index]);
    const isReadOnly = await this.#matches('read_only_memory_patterns', visible);
    return {
      writable: visible.filter((_, index) => !isReadOnly[index]),
      readOnly: visible.filter((_, index) => isReadOnly[index]),
      gaps,
    };
  }

  /**
   * Returns a memory's text with `\n` line breaks.
   *
   * @throws {ExpectedError} `memory.not-found`; `file.undecodable` if it is not UTF-8, `file.*`.
   */
  async read(name: MemoryName): Promise<string> {
    await this.#requireVisible(name);
    return memoryDraft(name, await this.#bytes(name)).text;
  }

  /** True if the memory exists and is not hidden. */
  async has(name: MemoryName): Promise<boolean> {
    const [isIgnored] = await this.#matches('ignored_memory_patterns', [name]);
    return !isIgnored && readMemoryFile(this.#file(name)) !== undefined;
  }

  /** True if the configuration allows a memory of this name to be written. */
  async isWritable(name: MemoryName): Promise<boolean> {
    const [isIgnored] = await this.#matches('ignored_memory_patterns', [name]);
    const [isReadOnly] = await this.#matches('read_only_memory_patterns', [name]);
    return !isIgnored && !isReadOnly;
  }

  /**
   * Creates or overwrites a memory.
   *
   * @throws {ExpectedError} `memory.read-only`; `file.*`, `edit.*`.
   */
  async write(name: MemoryName, text: string): Promise<void> {
    await this.#requireWritable(name);
    const file = this.#file(name);
    const before = readMemoryFile(file);
    const replaced = before && memoryCodec.tryDecode(before);
    const after = encodeNewText(text, { path: name.text, codec: memoryCodec, rule: 'keep', replaced });
    await this.#commit([{ do: 'write', ...targetOf(file), before, after, modeOf: before && file.path }]);
  }

  /**
   * Opens a memory for edits; {@link save} writes them.
   *
   * @throws {ExpectedError} `memory.not-found`, `memory.read-only`; `file.undecodable`, `file.*`.
   */
  async open(name: MemoryName): Promise<FileDraft> {
    await this.#requireWritable(name);
    return memoryDraft(name, await this.#bytes(name));
  }

  /**
   * Writes the edits of `draft`, a result of {@link open}.
   *
   * @throws {ExpectedError} `edit.conflict` if the memory has changed since; `edit.*`, `file.*`.
   */
  async save(name: MemoryName, draft: FileDraft): Promise<void> {
    const target = targetOf(this.#file(name));
    const modeOf = target.path;
    await this.#commit([{ do: 'write', ...target, before: draft.bytes, after: draft.encode(), modeOf }]);
  }

  /**
   * Deletes a memory. Returns true if it existed.
   *
   * @throws {ExpectedError} `memory.read-only`; `file.*`, `edit.*`.
   */
  async delete(name: MemoryName): Promise<boolean> {
    await this.#requireWritable(name);
    const file = this.#file(name);
    const before = readMemoryFile(file);
    if (before === undefined) return false;
    await this.#commit([{ do: 'remove', ...targetOf(file), before }]);
    return true;
  }

  /**
   * Renames a memory and updates the references to it, except those in read-only memories; all or nothing.
   *
   * @throws {ExpectedError} `memory.not-found`, `memory.exists`, `memory.read-only` for either name; `file.*`,
   *   `edit.*`.
   */
  async rename(from: MemoryName, to: MemoryName): Promise<RenamedReferences> {
    await this.#requireWritable(from);
    await this.#requireWritable(to);
    const before = await this.#bytes(from);
    if (readMemoryFile(this.#file(to)) !== undefined) {
      throw new ExpectedError('memory.exists', `the memory \`${to.text}\` already exists`, {
        hints: ['choose another name, or delete that memory first'],
      });
    }
    const { writable, readOnly } = await this.list();
    const { steps, references } = planRename({
      ...{ from, to, before, readOnly },
      writable: writable.filter(({ text }) => text !== from.text),
      fileOf: (name) => this.#file(name),
    });
    await this.#commit(steps);
    return references;
  }

  #find(topic: MemoryTopic | undefined): { names: MemoryName[]; gaps: Gap[] } {
    const names: MemoryName[] = [];
    const problems: string[] = [];
    const prefix = topic === undefined || topic.directory === '' ? '' : `${topic.directory}/`;
    for (const isGlobal of topic === undefined ? [false, true] : [topic.isGlobal]) {
      const directory = this.#directory({ isGlobal });
      if (directory === undefined) continue;
      const { files, problems: ownProblems } = findMemoryFiles(directory, prefix);
      problems.push(...ownProblems);
      const inScope = files.map((file) => memoryInFile(prefix + file, { isGlobal }));
      // A topic `global` in the project's directory is skipped: such names always mean global memories.
      names.push(...inScope.filter(({ text }) => isGlobal || !text.startsWith('global/')));
    }
    const gaps = problems.map((reason) => ({
      missing: 'Some memories may be missing',
      reason,
      next: 'Ask the user to check the directory of the memories',
    }));
    return { names: names.sort((a, b) => (a.text < b.text ? -1 : 1)), gaps };
  }

  async #bytes(name: MemoryName): Promise<Uint8Array> {
    const bytes = readMemoryFile(this.#file(name));
    if (bytes !== undefined) return bytes;
    const { writable, readOnly } = await this.list();
    const known = [...writable, ...readOnly].map(({ text }) => text);
    const meant = nearest(name.text, known);
    throw new ExpectedError('memory.not-found', `there is no memory \`${name.text}\``, {
      hints: [
        ...(meant === undefined ? [] : [`did you mean \`${meant}\`?`]),
        'call `list_memories` to see all memories',
      ],
    });
  }

  async #requireVisible(name: MemoryName): Promise<void> {
    const [isIgnored] = await this.#matches('ignored_memory_patterns', [name]);
    if (!isIgnored) return;
    throw new ExpectedError('memory.ignored', `\`ignored_memory_patterns\` hides the memory \`${name.text}\``, {
      hints: [`call \`read_file\` with \`relative_path\` "${this.#file(name).path}" if you need its content`],
    });
  }

  async #requireWritable(name: MemoryName): Promise<void> {
    await this.#requireVisible(name);
    const [isReadOnly] = await this.#matches('read_only_memory_patterns', [name]);
    if (!isReadOnly) return;
    throw new ExpectedError('memory.read-only', `\`read_only_memory_patterns\` protects the memory \`${name.text}\``, {
      hints: ['write a memory of another name, or ask the user to change the pattern'],
    });
  }

  async #matches(key: PatternKey, names: readonly MemoryName[]): Promise<readonly boolean[]> {
    const patterns = this.#options.patterns[key];
    const texts = names.map(({ text }) => text);
    if (patterns.length === 0 || texts.length === 0) return texts.map(() => false);
    try {
      return await this.#options.matchWhole(patterns, texts);
    } catch (error) {
      if (!isExpected(error, 'search.bad-pattern', 'search.too-slow')) throw error;
      throw new ExpectedError('config.invalid', `key \`${key}\`: ${error.message}`, {
        hints: ['correct the pattern in `serena_config.yml` or `.serena/project.yml`, then activate the project again'],
        cause: error,
      });
    }
  }

  #file({ isGlobal, file }: MemoryName): MemoryFile {
    const directory = this.#directory({ isGlobal });
    if (directory === undefined) throw new Error('A project memory was requested without a project');
    return memoryFile(directory, file);
  }

  #directory({ isGlobal }: { isGlobal: boolean }): MemoryDirectory | undefined {
    const { projectDirectory, globalDirectory } = this.#options;
    if (!isGlobal) return projectDirectory;
    return { path: globalDirectory, root: globalDirectory, relative: '', links: 'any' };
  }

  async #commit(steps: readonly Step[]): Promise<void> {
    const { editsDirectory, signal } = this.#options;
    await commitSteps(steps, memoryScope(editsDirectory), signal);
  }
}

interface Names {
  readonly writable: readonly MemoryName[];
  readonly readOnly: readonly MemoryName[];
}

/** Returns only the project's memories of a list. */
export function projectMemories(list: Names): Names {
  return select(list, ({ isGlobal }) => !isGlobal);
}

/** Returns only the global memories of a list. */
export function globalMemories(list: Names): Names {
  return select(list, ({ isGlobal }) => isGlobal);
}

/** Returns the names as tools list them, without empty lists: see docs/compatibility.md, Memory tools. */
export function memoryListing({ writable, readOnly }: Names): Readonly<Record<string, readonly string[]>> {
  const texts = (names: readonly MemoryName[]) => names.map(({ text }) => text);
  return {
    ...(writable.length > 0 ? { memories: texts(writable) } : {}),
    ...(readOnly.length > 0 ? { read_only_memories: texts(readOnly) } : {}),
  };
}

function select({ writable, readOnly }: Names, isSelected: (name: MemoryName) => boolean): Names {
  return { writable: writable.filter(isSelected), readOnly: readOnly.filter(isSelected) };
}

const maintenance = parseMemoryName('memory_maintenance');
const globalMaintenance = parseMemoryName('global/memory_maintenance');

/**
 * Returns the memory about how to maintain memories: the global one, else the project's, else a new one written from
 * the template. `undefined` if there is none and the configuration forbids writing it. An existing one is not changed.
 *
 * @throws {ExpectedError} as `Memories` does.
 */
export async function ensureMaintenanceMemory(memories: Memories): Promise<MemoryName | undefined> {
  if (await memories.has(globalMaintenance)) return globalMaintenance;
  if (await memories.has(maintenance)) return maintenance;
  if (!(await memories.isWritable(maintenance))) return undefined;
  await memories.write(maintenance, template());
  return maintenance;
}

/** True if onboarding was done: the project has a memory besides the one that this program writes. */
export function isOnboarded(list: MemoryList): boolean {
  const { writable, readOnly } = projectMemories(list);
  return [...writable, ...readOnly].some(({ text }) => text !== maintenance.text);
}

function template(): string {
  const text = resources['templates/memory_maintenance.md'];
  if (text === undefined) throw new Error('The template of the maintenance memory is not embedded');
  return text;
}
