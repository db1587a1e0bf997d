import type { RequestLimits } from '../client/connection.ts';
import type { LanguageServer } from '../client/language-server.ts';
import { readWorkspaceEdit, type WorkspaceStep } from './rename.ts';

/** A move of a file or directory. */
export interface PathMove {
  readonly from: string;
  readonly to: string;
  readonly isDirectory: boolean;
}

/**
 * Returns the changes in files, at their paths before the move, that a move requires, as the server proposes them;
 * applies none. Returns `undefined` if the server does not support such requests.
 *
 * @throws {ExpectedError} `edit.refused` for changes that only an editor can make; `server.*`.
 */
export async function requestMoveEdits(
  server: LanguageServer,
  { from, to, isDirectory }: PathMove,
  limits: RequestLimits,
): Promise<WorkspaceStep[] | undefined> {
  if (!server.supports('workspace/willRenameFiles', isDirectory ? 'directory' : 'file')) return undefined;
  const files = [{ oldUri: server.files.uriOf(from), newUri: server.files.uriOf(to) }];
  const answer = await server.request('workspace/willRenameFiles', { files }, limits);
  if (answer === null || answer === undefined) return [];
  const steps = readWorkspaceEdit(answer, server);
  // Some servers return the move itself, too.
  return steps.filter((step) => (step.do === 'edit' ? step.edits.length > 0 : step.do !== 'move'));
}
