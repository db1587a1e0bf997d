import { ExpectedError } from '../../base/errors.ts';
import type { Place, Range } from '../../text/place.ts';
import { textLines } from '../../text/text-lines.ts';
import { wordEdits } from '../../text/word-edits.ts';
import type { RequestLimits } from '../client/connection.ts';
import type { LanguageServer } from '../client/language-server.ts';
import { readRange } from '../documents/ranges.ts';
import { field } from '../readiness/readiness.ts';
import { positionParams } from './locations.ts';

/** A server's replacement of part of a file; positions are those of the text that the server has. */
export interface RangeEdit {
  readonly range: Range;
  readonly newText: string;
}

/** One step of an LSP `WorkspaceEdit`; steps are applied in order. Files are those of a `Place`. */
export type WorkspaceStep =
  | { readonly do: 'edit'; readonly file: string; readonly edits: readonly RangeEdit[] }
  | { readonly do: 'create'; readonly file: string; readonly ifExists: IfExists }
  | { readonly do: 'move'; readonly from: string; readonly file: string; readonly ifExists: IfExists }
  | { readonly do: 'remove'; readonly file: string; readonly mayBeAbsent: boolean };

/** How to handle a step whose target path exists. */
export type IfExists = 'replace' | 'skip' | 'fail';

export interface RenameRequest extends Place {
  readonly newName: string;
}

/**
 * Returns the changes that rename the symbol at the start of a place in an open document, as the server proposes them;
 * applies none.
 *
 * @throws {ExpectedError} `edit.refused` if the server finds nothing to rename or proposes changes that only an editor
 *   can make; `server.*`.
 */
export async function requestRename(
  server: LanguageServer,
  request: RenameRequest,
  limits: RequestLimits,
): Promise<WorkspaceStep[]> {
  if (!server.supports('textDocument/rename'))
    throw new ExpectedError('server.refused', `${server.name} cannot rename`, { hints: manually });
  const target = positionParams(server, request);
  if (server.supports('textDocument/rename', 'prepareProvider')) {
    const prepared = await server.request('textDocument/prepareRename', target, limits);
    if (prepared === null || prepared === undefined) throw nothingToRename(server);
  }
  const answer = await server.request('textDocument/rename', { ...target, newName: request.newName }, limits);
  if (answer === null || answer === undefined) throw nothingToRename(server);
  return readWorkspaceEdit(answer, server).map((step) =>
    step.do === 'edit' ? { ...step, edits: namesOf(server, step, request.newName) } : step,
  );
}

/**
 * Returns the edits of single names: jdtls 1.60 replaces everything from the first to the last name of a file. An edit
 * that writes the new name alone has one name already, of several words in Robot Framework.
 */
function namesOf({ documents }: LanguageServer, step: { file: string; edits: readonly RangeEdit[] }, newName: string) {
  const text = documents.tryTextOf(step.file);
  if (text === undefined) return step.edits;
  const lines = textLines(text);
  return step.edits.flatMap((edit) => (edit.newText === newName ? [edit] : wordEdits(lines, edit)));
}

type EditSource = Pick<LanguageServer, 'name'> & { readonly files: Pick<LanguageServer['files'], 'fileOf'> };

/**
 * Returns the steps of a server's `WorkspaceEdit`. If it has both `documentChanges` and `changes`, the latter are
 * ignored. Change annotations, which request a person's consent, are ignored.
 *
 * @throws {ExpectedError} `edit.refused` for snippets and for URIs that are not files; `server.refused` for forms that
 *   LSP does not define.
 */
export function readWorkspaceEdit(answer: unknown, server: EditSource): WorkspaceStep[] {
  const documentChanges = field(answer, 'documentChanges');
  if (Array.isArray(documentChanges)) {
    return documentChanges.map((change: unknown) => readChange(change, server));
  }
  const changes = field(answer, 'changes') ?? {};
  if (typeof changes !== 'object') throw malformed(server.name);
  return Object.entries(changes).map(([uri, edits]: [string, unknown]) => readFileEdits(uri, edits, server));
}

function readChange(change: unknown, server: EditSource): WorkspaceStep {
  const options = field(change, 'options');
  const file = (key: string) => fileOf(field(change, key), server);
  switch (field(change, 'kind')) {
    case undefined:
      return readFileEdits(field(field(change, 'textDocument'), 'uri'), field(change, 'edits'), server);
    case 'create':
      return { do: 'create', file: file('uri'), ifExists: ifExists(options) };
    case 'rename':
      return { do: 'move', from: file('oldUri'), file: file('newUri'), ifExists: ifExists(options) };
    case 'delete':
      return { do: 'remove', file: file('uri'), mayBeAbsent: field(options, 'ignoreIfNotExists') === true };
    default:
      throw malformed(server.name);
  }
}

/** `overwrite` takes precedence, as LSP requires. */
function ifExists(options: unknown): IfExists {
  if (field(options, 'overwrite') === true) return 'replace';
  return field(options, 'ignoreIfExists') === true ? 'skip' : 'fail';
}

function readFileEdits(uri: unknown, edits: unknown, server: EditSource): WorkspaceStep {
  const read = readEdits(edits, server.name);
  return { do: 'edit', file: fileOf(uri, server), edits: read };
}

/** Returns a server's edits of one file. @throws {ExpectedError} as {@link readWorkspaceEdit}. */
export function readEdits(edits: unknown, serverName: string): RangeEdit[] {
  if (!Array.isArray(edits)) throw malformed(serverName);
  return edits.map((edit) => readEdit(edit, serverName));
}

function readEdit(edit: unknown, serverName: string): RangeEdit {
  const range = readRange(field(edit, 'range'));
  const newText = field(edit, 'newText');
  if (field(edit, 'snippet') !== undefined) {
    throw new ExpectedError('edit.refused', `${serverName} answered with a snippet, which only an editor can expand`, {
      hints: manually,
    });
  }
  if (!range || typeof newText !== 'string') throw malformed(serverName);
  return { range, newText };
}

function fileOf(uri: unknown, { name, files }: EditSource): string {
  if (typeof uri !== 'string') throw malformed(name);
  const file = files.fileOf(uri);
  if (file !== undefined) return file;
  throw new ExpectedError('edit.refused', `${name} proposes to change \`${uri}\`, which is not a file`, {
    hints: manually,
  });
}

const manually = ['call `find_referencing_symbols` and change each reference yourself'];

function nothingToRename({ name }: LanguageServer): ExpectedError {
  return new ExpectedError('edit.refused', `${name} finds nothing to rename at this position`, { hints: manually });
}

function malformed(serverName: string): ExpectedError {
  return new ExpectedError('server.refused', `${serverName} sent edits in a form that LSP does not define`);
}
