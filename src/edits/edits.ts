import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../base/errors.ts';
import { RefusedFile } from '../base/open-regular-file.ts';
import { realPath } from '../base/paths.ts';
import { type ProjectDirectory, resolveInProject } from '../search/project-path.ts';
import { readBytes, readSource } from '../search/source-text.ts';
import { decode, decodeOrThrow } from '../text/decode.ts';
import { getCodec } from '../text/encodings.ts';
import { type CommitOrigin, commitSteps, type Step } from './commit.ts';
import { contentHash, hashOf } from './content-hash.ts';
import type { EditAuthor } from './edit-author.ts';
import { encodeNewText, FileDraft, type LineEndingRule } from './file-draft.ts';
import { type CommitScope, projectScope } from './scope.ts';

export interface EditedDirectory extends ProjectDirectory {
  /** Encoding of files that do not declare one themselves. */
  readonly encoding: string;
  /** Absolute path of the directory for locks and journals, outside the project. */
  readonly directory: string;
}

/** A file with its planned change: `draft` or `bytes` hold its new content, `to` its new path. */
interface PlannedFile {
  /** The path that the file was read from; `undefined` for a new file. */
  readonly from: string | undefined;
  /** The path that the file will have; `undefined` if it will be removed. */
  to: string | undefined;
  /** The bytes that were read; at the commit the file must still have them. */
  readonly before: Uint8Array | undefined;
  /** Edits of the content that was read, or of an earlier value of `bytes`. */
  draft: FileDraft | undefined;
  /** Content that replaces the whole file. */
  bytes: Uint8Array | undefined;
  /** Permissions of a restored file. */
  mode?: number | undefined;
}

export interface PlannedChange {
  /** Project-relative path with `/`. */
  readonly path: string;
  /** `undefined` if the file does not exist before or after the change. */
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** The content that a file had or will have again; hashes, or `undefined` for no file. */
interface Restoration {
  /** As recorded: project-relative, or absolute. */
  readonly path: string;
  readonly now: string | undefined;
  readonly content: Uint8Array | undefined;
  /** Permissions; `undefined` to keep those of the file. */
  readonly mode: number | undefined;
}

export interface EditsOptions {
  readonly rule: LineEndingRule;
  readonly around?: AroundCommit;
  /** If absent, edits are not recorded and cannot be undone. */
  readonly author?: EditAuthor;
}

/** Runs `commit`, which makes `changes`, and may inspect the files before and after. Throws only what `commit` throws. */
export type AroundCommit = (changes: readonly PlannedChange[], commit: () => Promise<void>) => Promise<void>;

/**
 * The changes that one tool call makes to the files of a project. They are planned in memory and checked; `commit()`
 * makes all of them or none. Paths are project-relative with `/`, or absolute inside the project.
 *
 * A commit refuses to overwrite a file that changed after it was read here.
 */
export class Edits {
  readonly #project: EditedDirectory;
  readonly #rule: LineEndingRule;
  readonly #around: AroundCommit;
  readonly #author: EditAuthor | undefined;
  readonly #planned: PlannedFile[] = [];
  #isCollecting = false;
  /** Why the last commit was not recorded. */
  #unrecorded: string | undefined;
  /** The changes at the last commit of a collection, by path. */
  #collected: ReadonlyMap<string, Uint8Array | undefined> = new Map();

  constructor(project: EditedDirectory, { rule, around = (_, commit) => commit(), author }: EditsOptions) {
    this.#project = project;
    this.#rule = rule;
    this.#around = around;
    this.#author = author;
  }

  /**
   * Runs `work`, whose commits write nothing: they only check the changes planned so far. Afterwards {@link changes} are
   * all of them, and a further commit makes them. After an error the plan is unusable.
   */
  async collecting<T>(work: () => Promise<T>): Promise<T> {
    const wasCollecting = this.#isCollecting;
    this.#isCollecting = true;
    try {
      return await work();
    } finally {
      this.#isCollecting = wasCollecting;
    }
  }

  /** True while commits write nothing; see {@link collecting}. */
  get isCollecting(): boolean {
    return this.#isCollecting;
  }

  /** The planned changes, one per path. @throws {ExpectedError} `edit.overlap`; `edit.not-encodable`. */
  get changes(): PlannedChange[] {
    return stepsOf(this.#planned).map(changeOf);
  }

  /** The files that are edited or moved, in the order in which they were opened: paths and draft. */
  get drafts(): { readonly from: string; readonly to: string; readonly draft: FileDraft | undefined }[] {
    return this.#planned.flatMap(({ from, to, draft, bytes }) => {
      const isChanged = draft !== undefined || from !== to;
      return from === undefined || to === undefined || bytes !== undefined || !isChanged ? [] : [{ from, to, draft }];
    });
  }

  /**
   * Number of the places that are replaced, by the new path of their file; sorted. A file that is written or removed
   * as a whole is one place.
   */
  get places(): (readonly [path: string, count: number])[] {
    const counts = this.#planned.flatMap(({ from, to, draft, bytes }) => {
      const count = to === undefined ? 1 : (draft?.placeCount ?? (bytes === undefined ? 0 : 1));
      const path = to ?? from;
      return path === undefined || count === 0 ? [] : [[path, count] as const];
    });
    return counts.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Returns the path that a present file has in this plan; `undefined` if it is removed. */
  pathAfter(from: string): string | undefined {
    const planned = this.#planned.find((one) => one.from === from);
    return planned === undefined ? from : planned.to;
  }

  /** Returns the path and the draft that a file which was opened has in this plan; `undefined` if it was not opened. */
  planned(from: string): { readonly to: string | undefined; readonly draft: FileDraft } | undefined {
    const found = this.#planned.find((planned) => planned.from === from);
    return found?.draft && { to: found.to, draft: found.draft };
  }

  /** The directory of the history that the edits are recorded in, and on whose behalf. */
  get history(): { readonly directory: string; readonly author: EditAuthor } {
    if (this.#author === undefined) throw new Error('these edits have no history');
    return { directory: this.#project.directory, author: this.#author };
  }

  /** Notes for the caller about the last commit. */
  get notes(): readonly string[] {
    return this.#unrecorded === undefined ? [] : [`\`edit_history\` cannot undo this edit: ${this.#unrecorded}`];
  }

  /** Size of the files as of the last commit of a collection. */
  get collectedBytes(): number {
    return [...this.#collected.values()].reduce((sum, after) => sum + (after?.length ?? 0), 0);
  }

  /** True if `path` leads to an existing file, also through symbolic links, and no planned change affects that file. */
  isUnaffected(path: string): boolean {
    const { root } = this.#project;
    const identityOf = (relative: string) => {
      const stats = statSync(join(root, relative), { bigint: true, throwIfNoEntry: false });
      return stats?.isFile() === true ? `${stats.dev}:${stats.ino}` : undefined;
    };
    const file = identityOf(resolveInProject(this.#project, path));
    return file !== undefined && this.changes.every((change) => identityOf(change.path) !== file);
  }

  /**
   * Makes the planned changes the content that later edits start from: files that are opened from now on have the text
   * with all edits planned so far.
   *
   * @throws {ExpectedError} `edit.overlap`; `edit.not-encodable`.
   */
  settle(): void {
    for (const planned of this.#planned) {
      if (planned.draft === undefined || planned.to === undefined) continue;
      planned.bytes = planned.draft.encode();
      planned.draft = undefined;
    }
  }

  /**
   * Reads a file and returns its draft, the same object for the same file.
   *
   * @throws {ExpectedError} `file.*`, also for a file that this plan removes.
   */
  open(path: string): FileDraft {
    const relative = resolveInProject(this.#project, path);
    const known = this.#planned.find((planned) => planned.to === relative);
    if (known) return this.#draftOf(known, relative);
    if (this.#planned.some(({ from }) => from === relative)) throw notFound(relative);
    const read = readSource(this.#project, relative, this.#project.encoding);
    const draft = new FileDraft(relative, read, this.#rule);
    this.#planned.push({ from: relative, to: relative, before: read.bytes, draft, bytes: undefined });
    return draft;
  }

  /**
   * Plans to write a whole file, replacing an existing one only if `mayReplace`. Returns true if a file existed.
   *
   * @throws {ExpectedError} `file.*`; `file.exists`; `edit.not-encodable`.
   */
  write(path: string, text: string, options: { mayReplace: boolean }): boolean {
    const { root, encoding } = this.#project;
    const relative = resolveInProject(this.#project, path);
    const known = this.#planned.find((planned) => planned.to === relative);
    const isFreed = !known && this.#planned.some(({ from }) => from === relative);
    const doesExist = known !== undefined || (!isFreed && existsSync(join(root, relative)));
    if (doesExist && !options.mayReplace) throw alreadyThere(relative);
    const before = known?.before ?? (doesExist ? readBytes(this.#project, relative) : undefined);
    const projectCodec = getCodec(encoding);
    const old = before === undefined ? undefined : decode(before, projectCodec);
    const { codec, text: replaced } = old?.kind === 'text' ? old : { codec: projectCodec };
    const bytes = encodeNewText(text, { path: relative, codec, rule: this.#rule, replaced });
    if (known) Object.assign(known, { bytes, draft: undefined });
    else this.#planned.push({ from: doesExist ? relative : undefined, to: relative, before, draft: undefined, bytes });
    return doesExist;
  }

  /**
   * Plans to move a file. Edits planned for it before and after this call are kept.
   *
   * @throws {ExpectedError} `file.*`; `file.exists` if a file exists at `to` and `mayReplace` is false.
   */
  move(from: string, to: string, options: { mayReplace: boolean }): void {
    const target = resolveInProject(this.#project, to);
    const planned = this.#planOf(from);
    const other = this.#planned.find((candidate) => candidate !== planned && candidate.to === target);
    const isFreed = this.#planned.some((candidate) => candidate.from === target && candidate.to !== target);
    const isTaken = other !== undefined || (!isFreed && existsSync(join(this.#project.root, target)));
    if (isTaken && planned.to !== target) {
      if (!options.mayReplace) throw alreadyThere(target);
      this.remove(target);
    }
    planned.to = target;
  }

  /**
   * Plans to remove a file.
   *
   * @throws {ExpectedError} `file.*`.
   */
  remove(path: string): void {
    this.#planOf(path).to = undefined;
  }

  /**
   * Plans to give a file a recorded content. Returns false if the file does not have the content with the hash `now`.
   *
   * @throws {ExpectedError} `file.*`.
   */
  restore({ path, now, content, mode }: Restoration): boolean {
    const relative = resolveInProject(this.#project, path);
    if (now === undefined) {
      if (isTaken(join(this.#project.root, relative))) return false;
      const added = { from: undefined, to: relative, before: undefined, draft: undefined };
      this.#planned.push({ ...added, bytes: content, mode });
      return true;
    }
    if (!existsSync(join(this.#project.root, relative))) return false;
    const before = readBytes(this.#project, relative);
    if (hashOf(before) !== now) return false;
    const to = content === undefined ? undefined : relative;
    this.#planned.push({ from: relative, to, before, draft: undefined, bytes: content, mode });
    return true;
  }

  /**
   * Makes all planned changes or none, and returns the paths of the files that changed. `origin` is for an undo or redo.
   *
   * @throws {ExpectedError} `edit.conflict` if a file changed after it was read; `edit.*`; `file.no-permission`.
   */
  async commit(
    signal: AbortSignal,
    origin: Pick<CommitOrigin, 'kind' | 'of'> = { kind: 'edit', of: [] },
  ): Promise<string[]> {
    if (this.#isCollecting) return this.#collect();
    const steps = stepsOf(this.#planned);
    const author = this.#author;
    const recorded = author && { ...origin, tool: author.tool, session: author.session };
    await this.#around(steps.map(changeOf), async () => {
      this.#unrecorded = await commitSteps(steps, editsScope(this.#project), signal, recorded);
    });
    return steps.map(({ path }) => path);
  }

  /** Returns the paths of the files whose planned content differs from that at the commit before. */
  #collect(): string[] {
    const before = this.#collected;
    const { changes } = this;
    this.#collected = new Map(changes.map(({ path, after }) => [path, after]));
    const isNew = ({ path, after }: PlannedChange) => {
      const old = before.get(path);
      if (!before.has(path) || old === undefined || after === undefined) return !before.has(path) || old !== after;
      return Buffer.compare(old, after) !== 0;
    };
    return changes.filter(isNew).map(({ path }) => path);
  }

  /** Returns the draft of a file that is already part of this plan. */
  #draftOf(planned: PlannedFile, path: string): FileDraft {
    const bytes = planned.bytes ?? planned.before;
    if (planned.draft === undefined && bytes !== undefined) {
      const { text: raw, codec } = decodeOrThrow(bytes, getCodec(this.#project.encoding), path);
      planned.draft = new FileDraft(path, { bytes, raw, codec }, this.#rule);
      planned.bytes = undefined;
    }
    if (planned.draft === undefined) throw notFound(path);
    return planned.draft;
  }

  /** Returns the plan of the file that this plan puts at `path`. */
  #planOf(path: string): PlannedFile {
    const relative = resolveInProject(this.#project, path);
    const known = this.#planned.find((planned) => planned.to === relative);
    if (known) return known;
    if (this.#planned.some(({ from }) => from === relative)) throw notFound(relative);
    const before = readBytes(this.#project, relative);
    const planned: PlannedFile = { from: relative, to: relative, before, draft: undefined, bytes: undefined };
    this.#planned.push(planned);
    return planned;
  }
}

/** True if anything is at an absolute path, also what no edit reads, such as a directory. */
function isTaken(path: string): boolean {
  try {
    return contentHash(path, 'any') !== undefined;
  } catch (error) {
    if (error instanceof RefusedFile) return true;
    throw error;
  }
}

function changeOf(step: Step): PlannedChange {
  return { path: step.path, before: step.before, after: step.do === 'write' ? step.after : undefined };
}

export function editsScope({ root, directory, links }: EditedDirectory): CommitScope {
  return projectScope({ root: realPath(root), directory, mayLeave: links === 'any' });
}

/** Returns one step per path. If files are swapped, a path loses one file and gets another in the same step. */
function stepsOf(planned: readonly PlannedFile[]): Step[] {
  const contents = new Map(planned.flatMap(({ from, before }) => (from === undefined ? [] : [[from, before]])));
  const results = new Map(
    planned.flatMap(({ from, to, before, draft, bytes, mode }) => {
      const after = bytes ?? draft?.encode() ?? before;
      return to === undefined || after === undefined ? [] : [[to, { after, modeOf: from, mode }] as const];
    }),
  );
  const steps: Step[] = [];
  for (const path of new Set([...contents.keys(), ...results.keys()])) {
    const before = contents.get(path);
    const result = results.get(path);
    if (result === undefined) steps.push({ do: 'remove', path, before });
    else if (before === undefined || Buffer.compare(before, result.after) !== 0) {
      steps.push({ do: 'write', path, before, ...result });
    }
  }
  return steps;
}

function notFound(path: string): ExpectedError {
  return new ExpectedError('file.not-found', `file \`${path}\` does not exist: the same edit removes or moves it`);
}

function alreadyThere(path: string): ExpectedError {
  return new ExpectedError('file.exists', `file \`${path}\` already exists`, {
    hints: ['choose another path, or remove that file first'],
  });
}
