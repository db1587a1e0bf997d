import { createHash } from 'node:crypto';
import { closeSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { isSameState, type RecordedState, recordState, tryStat } from '../../base/file-state.ts';
import { namesIn } from '../../base/files.ts';
import type { Gap } from '../../base/gap.ts';
import { log } from '../../base/log.ts';
import { openRegularFile } from '../../base/open-regular-file.ts';
import { toPosix } from '../../base/paths.ts';
import { makePrivateDirectory } from '../../base/private-directory.ts';
import type { Project } from '../../project/project.ts';
import { blobOf } from '../../scip/blob.ts';
import { type ImportedDocument, ImportedIndex, type ImportSummary } from '../../scip/imported-index.ts';
import { invalidIndex } from '../../scip/read.ts';
import { realRootOf } from '../../search/project-path.ts';
import { readSource } from '../../search/source-text.ts';

/** Increased when the stored format changes. */
const formatVersion = 1;
const storedName = new RegExp(`^scip-v${formatVersion}-[0-9a-f]{16}\\.sqlite$`);
/** A question does not wait for a larger index to be read: that takes a second for each 10 MB. */
const maxUnaskedBytes = 16 * 1024 * 1024;
/** A name that a command in a hint can contain as it is. */
const indexName = /^[\w.-]+\.scip$/;
/** Number of files of which the id is remembered. */
const maxKnownBlobs = 20_000;

/** A file that is read without being asked for. */
interface FoundIndex {
  /** The name for people. */
  readonly name: string;
  readonly root: string;
  readonly path: string;
}

/**
 * The imported indexes of a project: those that the user has imported, `index.scip`, and `scip/*.scip` in the project's
 * data directory. Anybody may have written them, so each document counts only for the content that it is about.
 */
export class ImportedIndexes {
  readonly #project: Project;
  readonly #opened = new Map<string, { readonly index: ImportedIndex; readonly state: RecordedState }>();
  readonly #blobs = new Map<string, { readonly state: RecordedState; readonly blob: string }>();
  /** Why a found file is not used, by its path and state. */
  readonly #refused = new Map<string, Gap>();

  constructor(project: Project) {
    this.#project = project;
  }

  /** Returns the indexes, newly read if their files have changed. What cannot be used becomes a gap. */
  open(gaps: Gap[], signal: AbortSignal): readonly ImportedIndex[] {
    for (const found of this.#found()) {
      const gap = this.#readIfChanged(found, signal);
      if (gap !== undefined && !gaps.includes(gap)) gaps.push(gap);
    }
    const { cache } = this.#project.state;
    return namesIn(cache).flatMap((name) => (storedName.test(name) ? this.#openStored(join(cache, name)) : []));
  }

  /**
   * Reads an index. `path` is below `root`, which has no links; `blobs` has the ids of files in the commit that it was made
   * from, if that is known.
   *
   * @throws {ExpectedError} `scip.invalid`; {RefusedFile}, and system errors.
   */
  read(
    { root, path }: Omit<FoundIndex, 'name'>,
    { blobs = new Map(), ...options }: ReadOptions,
  ): ImportSummary & { readonly index: ImportedIndex } {
    const { cache } = this.#project.state;
    const links = options.isTrusted ? ('any' as const) : this.#project.links;
    const { fd, stats, realPath } = openRegularFile({ root, path, links });
    try {
      if (stats.size > (options.maxBytes ?? Number.POSITIVE_INFINITY)) throw tooLarge(stats.size);
      makePrivateDirectory(cache);
      const stored = this.#storedPath(join(root, path));
      const origin = { path: realPath, state: stateOf(stats) };
      const { onProgress } = options;
      const summary = ImportedIndex.create(stored, { fd, sizeBytes: stats.size, origin, blobs, onProgress });
      const [index] = this.#openStored(stored);
      if (index === undefined) throw invalidIndex('its answers cannot be stored');
      return { ...summary, index };
    } finally {
      closeSync(fd);
    }
  }

  /** Returns the document of a file if it is about the file's present content. */
  currentDocument(index: ImportedIndex, file: string): ImportedDocument | undefined {
    const document = index.documentOf(file);
    return document !== undefined && this.isCurrent(document) ? document : undefined;
  }

  /** True if a document is about the present content of its file. */
  isCurrent({ path, blob }: ImportedDocument): boolean {
    return this.#blobOf(path, blob) === blob;
  }

  close(): void {
    for (const { index } of this.#opened.values()) index.close();
    this.#opened.clear();
  }

  #found(): FoundIndex[] {
    const { root, dataDirectory } = this.#project;
    const own = namesIn(join(dataDirectory, 'scip')).filter((name) => indexName.test(name));
    return [
      { name: 'index.scip', root: realRootOf(root), path: 'index.scip' },
      ...own.map((name) => {
        const path = join('scip', name);
        return { name: toPosix(relative(root, join(dataDirectory, path))), root: realRootOf(dataDirectory), path };
      }),
    ];
  }

  /** Reads a found index unless that was done before. Returns why it is not used. */
  #readIfChanged(found: FoundIndex, signal: AbortSignal): Gap | undefined {
    const path = join(found.root, found.path);
    const stats = tryStat(path);
    if (stats === undefined) return undefined;
    const key = `${path}\0${stateOf(stats)}`;
    const refused = this.#refused.get(key);
    if (refused !== undefined) return refused;
    const [known] = this.#openStored(this.#storedPath(path));
    if (known?.origin.state === stateOf(stats)) return undefined;
    let gap: Gap;
    try {
      const onProgress = () => signal.throwIfAborted();
      const { documents, unknown } = this.read(found, { isTrusted: false, maxBytes: maxUnaskedBytes, onProgress });
      if (documents > 0 || unknown === 0) return undefined;
      gap = {
        missing: `\`${found.name}\` is not used`,
        reason: 'it does not say which content of the files it is about',
        next: `Run \`serena scip import ${found.name} --commit <commit>\` with the commit that it was made from`,
      };
    } catch (error) {
      signal.throwIfAborted();
      log('scip').warn(`cannot use \`${path}\`: ${messageOf(error)}`);
      const next = error instanceof ExpectedError ? error.hints[0] : undefined;
      gap = {
        missing: `\`${found.name}\` is not used`,
        reason: messageOf(error),
        next: next === undefined ? 'Remove the file, or replace it' : next[0]?.toUpperCase() + next.slice(1),
      };
    }
    this.#refused.set(key, gap);
    return gap;
  }

  #storedPath(path: string): string {
    const key = createHash('sha256').update(path).digest('hex').slice(0, 16);
    return join(this.#project.state.cache, `scip-v${formatVersion}-${key}.sqlite`);
  }

  #openStored(path: string): [ImportedIndex] | [] {
    const stats = tryStat(path);
    const known = this.#opened.get(path);
    if (known && stats && isSameState(known.state, stats)) return [known.index];
    known?.index.close();
    this.#opened.delete(path);
    if (stats === undefined) return [];
    try {
      const index = ImportedIndex.open(path);
      this.#opened.set(path, { index, state: recordState(stats, Date.now()) });
      return [index];
    } catch (error) {
      log('scip').warn(`cannot open \`${path}\`: ${messageOf(error)}`);
      return [];
    }
  }

  /** Returns Git's id of a file's content in the form of another id; `undefined` if it cannot be read. */
  #blobOf(path: string, like: string): string | undefined {
    const stats = tryStat(join(this.#project.root, path));
    const known = this.#blobs.get(path);
    if (stats === undefined) return undefined;
    const isKnown = known !== undefined && !known.state.isRacy && known.blob.length === like.length;
    if (isKnown && isSameState(known.state, stats)) return known.blob;
    const state = recordState(stats, Date.now());
    try {
      const { bytes } = readSource(this.#project, path, this.#project.config.encoding);
      const blob = blobOf(bytes, { like });
      if (this.#blobs.size >= maxKnownBlobs) this.#blobs.clear();
      this.#blobs.set(path, { state, blob });
      return blob;
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      return undefined;
    }
  }
}

interface ReadOptions {
  /** True if the user has named the file: then links are followed. */
  readonly isTrusted: boolean;
  readonly maxBytes?: number;
  readonly blobs?: ReadonlyMap<string, string>;
  /** Called with the number of bytes that were read; it may throw to end the import. */
  onProgress(doneBytes: number): void;
}

function tooLarge(sizeBytes: number): ExpectedError {
  return new ExpectedError(
    'scip.invalid',
    `it has ${Math.ceil(sizeBytes / 1024 / 1024)} MB, too much to be read unasked`,
    {
      hints: ['run `serena scip import <file>`'],
    },
  );
}

function stateOf({ size, mtimeMs, ino }: { size: number; mtimeMs: number; ino: number }): string {
  return `${size} ${mtimeMs} ${ino}`;
}
