import { basename, dirname } from 'node:path/posix';
import { ExpectedError } from '../../base/errors.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { readWorkspaceEdit, type WorkspaceStep } from '../../lsp/features/rename.ts';
import type { PathMove } from '../../lsp/features/rename-files.ts';
import { field } from '../../lsp/readiness/readiness.ts';
import type { ServerAdapter, SymbolMove } from '../../servers/adapter.ts';

const packageLine = /^[ \t]*package[ \t]+([\w.]+)[ \t]*;/m;

/**
 * jdtls 1.60 moves what an editor names in requests of its own:
 *
 * - a file, whose types have its name, to another package that exists;
 * - a static member to a type of another file;
 * - a type in a type, or beside the main type of a file, to a new file of its package, which has its name.
 *
 * Covered by `test/languages/java/moves.test.ts`.
 */
export const moveJavaSymbol: NonNullable<ServerAdapter['moveSymbol']> = async (server, move, limits) => {
  const { file, name, target, targetText, reExports, isMember } = move;
  if (reExports) throw refused(name, 'Java cannot offer a name from another file', ['leave out `re_export`']);
  const own = `${name}.java`;
  if (!isMember && basename(file) === own) {
    if (basename(target) !== own)
      throw refused(name, `its file has to be \`${own}\``, [`choose \`${beside(target, own)}\``]);
    return await moveJavaFile(server, { from: file, to: target, isDirectory: false }, limits);
  }
  if (targetText !== undefined) {
    if (!isMember) throw refused(name, `\`${target}\` exists`, [`choose the new file \`${beside(file, own)}\``]);
    const type = [packageLine.exec(targetText)?.[1], basename(target, '.java')].filter(Boolean).join('.');
    return await ask(
      server,
      { moveKind: 'moveStaticMember', ...selection(server, move), destination: type },
      limits,
      notMoved(name),
    );
  }
  if (target !== beside(file, own)) {
    const reason = isMember ? `\`${target}\` does not exist` : `\`${target}\` is not named after it`;
    const hints = [`choose a file that exists for a static member, or \`${beside(file, own)}\` for a type`];
    throw refused(name, reason, hints);
  }
  return await ask(server, { moveKind: 'moveTypeToNewFile', ...selection(server, move) }, limits, notMoved(name));
};

/**
 * Returns the changes in files, at their paths before the move, that a move of a file of Java to another package requires,
 * without the move itself. Covered by the moves of files in `test/languages/java/moves.test.ts`.
 *
 * @throws {ExpectedError} `edit.refused` for what jdtls does not move.
 */
export async function importsOfMovedJavaFile(
  server: LanguageServer,
  move: PathMove,
  limits: RequestLimits,
): Promise<WorkspaceStep[]> {
  const steps = await moveJavaFile(server, move, limits);
  return steps.filter((step) => step.do !== 'move');
}

async function moveJavaFile(
  server: LanguageServer,
  { from, to, isDirectory }: PathMove,
  limits: RequestLimits,
): Promise<WorkspaceStep[]> {
  if (isDirectory) throw refused(from, 'jdtls moves single files to another directory', ['move its files one by one']);
  if (basename(from) !== basename(to)) {
    const hints = [`move it to \`${beside(to, basename(from))}\`, then rename its type`];
    throw refused(from, 'a move to another package keeps the name of the file', hints);
  }
  const params = { moveKind: 'moveResource', sourceUris: [server.files.uriOf(from)] };
  return await ask(server, { ...params, destination: server.files.uriOf(dirname(to)) }, limits, {
    name: from,
    reason: `\`${dirname(to)}\` is no package that the language server knows`,
    hint: `create a file in \`${dirname(to)}\` first, such as \`package-info.java\` with its \`package\` line`,
  });
}

const privateDeclaration = /\bprivate\b[^;={}(]*?([\p{L}_$][\p{L}\p{N}_$]*)\s*(?=[;={(])/gu;
const publicDeclaration = /\b(?:public|protected)\b[^;={}(]*?([\p{L}_$][\p{L}\p{N}_$]*)\s*(?=[;={(])/gu;

/** jdtls makes public what moved code needs of its old file. Returns these names. */
export function noLongerPrivate(before: string, after: string): string[] {
  const names = (text: string, declaration: RegExp) => [...text.matchAll(declaration)].map(([, name = '']) => name);
  const hidden = new Set(names(after, privateDeclaration));
  const open = new Set(names(after, publicDeclaration));
  return [...new Set(names(before, privateDeclaration))].filter((name) => !hidden.has(name) && open.has(name));
}

function selection(server: LanguageServer, { file, nameRange }: SymbolMove): object {
  const uri = server.files.uriOf(file);
  const params = { textDocument: { uri }, range: nameRange, context: { diagnostics: [] } };
  return { sourceUris: [uri], params };
}

/** Why an answer has no changes. */
interface Nothing {
  readonly name: string;
  readonly reason: string;
  readonly hint: string;
}

async function ask(
  server: LanguageServer,
  params: object,
  limits: RequestLimits,
  nothing: Nothing,
): Promise<WorkspaceStep[]> {
  // Otherwise it may search files as they were before the last changes.
  await server.request('java/buildWorkspace', [false], limits);
  const answer = await server.request('java/move', { updateReferences: true, ...params }, limits);
  const message = field(answer, 'errorMessage');
  const edit = field(answer, 'edit');
  const steps = edit === undefined || edit === null ? [] : readWorkspaceEdit(edit, server);
  if (steps.length > 0) return steps;
  throw refused(nothing.name, typeof message === 'string' ? reasonIn(message) : nothing.reason, [nothing.hint]);
}

/** The reason in `Failed to move static member. Reason: <FATALERROR … FATALERROR: Destination type … cannot be found …>`. */
function reasonIn(message: string): string {
  if (message.includes('no members are selected'))
    return 'the language server moves only static members to other types';
  return /(?:ERROR|WARNING): (.*)/.exec(message)?.[1] ?? message.split('\n', 1)[0] ?? message;
}

function notMoved(name: string): Nothing {
  const hint = 'write it in the other file with the editing tools, correct its users, and call `safe_delete_symbol`';
  return { name, reason: 'the language server proposes no changes for it', hint };
}

function beside(file: string, name: string): string {
  return file.includes('/') ? `${dirname(file)}/${name}` : name;
}

function refused(name: string, reason: string, hints: readonly string[]): ExpectedError {
  return new ExpectedError('edit.refused', `cannot move \`${name}\`: ${reason}; nothing was changed`, { hints });
}
