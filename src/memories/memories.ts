import { ExpectedError, isExpected } from '../base/errors.ts';
import type { Gap } from '../base/gap.ts';
import { nearest } from '../base/nearest.ts';
import { commitSteps, type Step } from '../edits/commit.ts';
import { encodeNewText, type FileDraft } from '../edits/file-draft.ts';
import { memoryScope } from '../edits/scope.ts';
import { findMemoryFiles, type MemoryDirectory, type MemoryFile, memoryFile, readMemoryFile } from './files.ts';
import { type MemoryName, type MemoryTopic, memoryInFile } from './names.ts';
import { memoryCodec, memoryDraft, planRename, type RenamedReferences, targetOf } from './rename.ts';

export type PatternKey = 'read_only_memory_patterns' | 'ignored_memory_patterns';

/** What memories there are, and who may do what with them. */
export interface MemoriesOptions {
  /** Of the project's memories; absent where there is no project. */
  readonly projectDirectory: MemoryDirectory | undefined;
  /** Absolute path of the directory of the memories of every project, which is the user's own. */
  readonly globalDirectory: string;
  /** Absolute path of the directory for journals: the user's own, and never in a project. */
  readonly editsDirectory: string;
  /** Regular expressions in Python's syntax, compared with whole names, by their configuration key. */
  readonly patterns: Readonly<Record<PatternKey, readonly string[]>>;
  readonly signal: AbortSignal;
  /**
   * Returns of each text whether one of `patterns` matches the whole of it.
   *
   * @throws {ExpectedError} `search.bad-pattern`, `search.too-slow`.
   */
  matchWhole(patterns: readonly string[], texts: readonly string[]): Promise<readonly boolean[]>;
}

/** The names of memories, sorted. */
export interface MemoryList {
  readonly writable: readonly MemoryName[];
  readonly readOnly: readonly MemoryName[];
  /** What may be missing. */
  readonly gaps: readonly Gap[];
}

/**
 * The memories that one call may use, the project's and the global ones (`spec/tools.md` §11). Nothing is made on disk by
 * reading.
 *
 * Everything here may throw `config.invalid` for a bad pattern, and `memory.ignored` for a name that the configuration
 * hides.
 */
export class Memories {
  readonly #options: MemoriesOptions;

  constructor(options: MemoriesOptions) {
    this.#options = options;
  }

  /** Returns the memories that are not hidden: all of them, or those below a topic. */
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
   * Returns a memory's text, line breaks as `\n`.
   *
   * @throws {ExpectedError} `memory.not-found`; `file.undecodable` if it is not UTF-8, `file.*`.
   */
  async read(name: MemoryName): Promise<string> {
    await this.#requireVisible(name);
    return memoryDraft(name, await this.#bytes(name)).text;
  }

  /** Returns whether there is a memory of this name that is not hidden. */
  async has(name: MemoryName): Promise<boolean> {
    const [isIgnored] = await this.#matches('ignored_memory_patterns', [name]);
    return !isIgnored && readMemoryFile(this.#file(name)) !== undefined;
  }

  /** Returns whether a memory of this name may be written. */
  async isWritable(name: MemoryName): Promise<boolean> {
    const [isIgnored] = await this.#matches('ignored_memory_patterns', [name]);
    const [isReadOnly] = await this.#matches('read_only_memory_patterns', [name]);
    return !isIgnored && !isReadOnly;
  }

  /**
   * Writes a memory, over one that exists.
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
   * Returns a memory for edits, which {@link save} writes.
   *
   * @throws {ExpectedError} `memory.not-found`, `memory.read-only`; `file.undecodable`, `file.*`.
   */
  async open(name: MemoryName): Promise<FileDraft> {
    await this.#requireWritable(name);
    return memoryDraft(name, await this.#bytes(name));
  }

  /**
   * Writes the edits planned in `draft`, which came from {@link open}.
   *
   * @throws {ExpectedError} `edit.conflict` if the memory has changed since; `edit.*`, `file.*`.
   */
  async save(name: MemoryName, draft: FileDraft): Promise<void> {
    const target = targetOf(this.#file(name));
    const modeOf = target.path;
    await this.#commit([{ do: 'write', ...target, before: draft.bytes, after: draft.encode(), modeOf }]);
  }

  /**
   * Deletes a memory; returns whether there was one.
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
   * Gives a memory another name, to which the references to it follow, those in read-only memories excepted. All of it is
   * done or nothing.
   *
   * @throws {ExpectedError} `memory.not-found`, `memory.exists`, `memory.read-only` for either name; `file.*`, `edit.*`.
   */
  async rename(from: MemoryName, to: MemoryName): Promise<RenamedReferences> {
    await this.#requireWritable(from);
    await this.#requireWritable(to);
    const before = await this.#bytes(from);
    if (readMemoryFile(this.#file(to)) !== undefined) {
      throw new ExpectedError('memory.exists', `There is a memory \`${to.text}\` already`, {
        hints: ['Choose another name, or delete that memory first'],
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
      const found = findMemoryFiles(directory, prefix);
      problems.push(...found.problems);
      const inScope = found.files.map((file) => memoryInFile(prefix + file, { isGlobal }));
      // A topic `global` among the project's memories could not be named: the name means the other place.
      names.push(...inScope.filter(({ text }) => isGlobal || !text.startsWith('global/')));
    }
    const gaps = problems.map((reason) => ({
      missing: 'Some memories may be missing',
      reason,
      next: 'Ask the user to look at the directory',
    }));
    return { names: names.sort((a, b) => (a.text < b.text ? -1 : 1)), gaps };
  }

  async #bytes(name: MemoryName): Promise<Uint8Array> {
    const bytes = readMemoryFile(this.#file(name));
    if (bytes !== undefined) return bytes;
    const { writable, readOnly } = await this.list();
    const known = [...writable, ...readOnly].map(({ text }) => text);
    const meant = nearest(name.text, known);
    throw new ExpectedError('memory.not-found', `There is no memory \`${name.text}\``, {
      hints: [
        ...(meant === undefined ? [] : [`Did you mean \`${meant}\`?`]),
        'Call `list_memories` to see which there are',
      ],
    });
  }

  async #requireVisible(name: MemoryName): Promise<void> {
    const [isIgnored] = await this.#matches('ignored_memory_patterns', [name]);
    if (!isIgnored) return;
    throw new ExpectedError('memory.ignored', `\`ignored_memory_patterns\` hides the memory \`${name.text}\``, {
      hints: [`Call \`read_file\` with \`relative_path\` "${this.#file(name).path}" if you need what is in the file`],
    });
  }

  async #requireWritable(name: MemoryName): Promise<void> {
    await this.#requireVisible(name);
    const [isReadOnly] = await this.#matches('read_only_memory_patterns', [name]);
    if (!isReadOnly) return;
    throw new ExpectedError('memory.read-only', `\`read_only_memory_patterns\` protects the memory \`${name.text}\``, {
      hints: ['Write a memory of another name, or ask the user to change the pattern'],
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
      throw new ExpectedError('config.invalid', `Key \`${key}\`: ${error.message}`, {
        hints: ['Correct the pattern in `serena_config.yml` or `.serena/project.yml`, then activate the project again'],
        cause: error,
      });
    }
  }

  #file({ isGlobal, file }: MemoryName): MemoryFile {
    const directory = this.#directory({ isGlobal });
    if (directory === undefined) throw new Error('There is no project whose memory this could be');
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
