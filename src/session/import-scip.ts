import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Call } from '../base/call.ts';
import { ExpectedError } from '../base/errors.ts';
import { RefusedFile } from '../base/open-regular-file.ts';
import { Git } from '../project/changed-files.ts';
import { readError } from '../search/read-error.ts';
import type { OpenProject } from './open-projects.ts';

interface ImportOptions {
  readonly call: Call;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Commit that the index was made from. */
  readonly commit: string | undefined;
  /** The number of bytes that were read. */
  onProgress(doneBytes: number): void;
}

export interface ImportResult {
  readonly tool: string;
  readonly version: string;
  readonly documents: number;
  /** Documents about the present content of their files. */
  readonly current: number;
  readonly occurrences: number;
  /** Documents outside the project, and the path of the first one. */
  readonly outside: { readonly count: number; readonly first: string };
  /** Number of documents of which it is not known what content they are about. */
  readonly unknown: number;
}

/**
 * Reads the SCIP index at an absolute path for a project, in place of what was read from this path before.
 *
 * @throws {ExpectedError} `scip.invalid`, also if no document can be compared with its file; `file.*`;
 *   `tool.failed-assertion` if there is no such commit; `tool.cancelled`.
 */
export async function importScip(
  { project, files }: OpenProject,
  path: string,
  options: ImportOptions,
): Promise<ImportResult> {
  const { call, env, commit, onProgress } = options;
  const git = new Git({ root: project.root, env, signal: call.signal });
  const blobs = commit === undefined ? undefined : await git.blobs(commit);
  const report = (doneBytes: number) => {
    call.signal.throwIfAborted();
    onProgress(doneBytes);
  };
  const { index, ...summary } = opened(path, () => {
    const place = { root: realpathSync(dirname(path)), path: basename(path) };
    return files.imported.read(place, { isTrusted: true, onProgress: report, ...(blobs && { blobs }) });
  });
  if (summary.documents === 0) throw incomparable(path);
  const current = index.documents().filter((document) => files.imported.isCurrent(document)).length;
  return { tool: index.tool.name, version: index.tool.version, ...summary, current };
}

function opened<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ExpectedError) throw error;
    if (error instanceof RefusedFile) {
      throw new ExpectedError('scip.invalid', `cannot read \`${path}\`: ${error.message}`, { cause: error });
    }
    throw readError(path, error);
  }
}

function incomparable(path: string): ExpectedError {
  return new ExpectedError('scip.invalid', `\`${path}\` does not say which content of the files it is about`, {
    hints: [`pass the commit that it was made from: \`serena scip import ${basename(path)} --commit HEAD\``],
  });
}
