import { existsSync } from 'node:fs';
import { dirname, relative } from 'node:path/posix';
import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { ServerAdapter, SymbolMove } from '../../servers/adapter.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { indentationOf, lineStarts, lineText } from '../../text/lines.ts';
import { type Position, positionAt } from '../../text/position.ts';

export function askTsserver(
  server: LanguageServer,
  request: [command: string, parameters: object, options?: object],
  limits: RequestLimits,
): Promise<unknown> {
  const params = { command: 'typescript.tsserverRequest', arguments: request };
  return server.request('workspace/executeCommand', params, limits);
}

const position = z.object({ line: z.number(), offset: z.number() });

const editsAnswer = z.object({
  body: z.object({
    notApplicableReason: z.string().optional(),
    edits: z.array(
      z.object({
        fileName: z.string(),
        textChanges: z.array(z.object({ start: position, end: position, newText: z.string() })),
      }),
    ),
  }),
});

const followUps = ['_typescript.applyCodeActionCommand', '_typescript.applyFixAllCodeAction'];

const refactoring = z.looseObject({ file: z.string(), refactor: z.string(), action: z.string() });

/**
 * The refactorings of typescript-language-server 6.0 are commands that create files on disk before the client has
 * accepted the edit. tsserver itself returns the edit and changes nothing. Covered by the moves to a new file in
 * `test/symbols/edits/code-actions.test.ts`.
 */
export const refactoringEdits: NonNullable<Quirks['commandEdits']> = async (
  server,
  { command, arguments: args },
  limits,
) => {
  // These follow an edit and only install packages.
  if (followUps.includes(command)) return [];
  const known = refactoring.safeParse(args[0]);
  if (command !== '_typescript.applyRefactoring' || !known.success) return undefined;
  return requestRefactoring(server, known.data, limits);
};

/**
 * Returns the changes of one of tsserver's refactorings, by tsserver's own parameters, in which paths are absolute.
 *
 * @throws {ExpectedError} `edit.refused` with the reason if it changes nothing; `server.*`.
 */
async function requestRefactoring(
  server: LanguageServer,
  parameters: { readonly file: string },
  limits: RequestLimits,
): Promise<WorkspaceStep[]> {
  await useIndentation(server, parameters.file, limits);
  const answer = editsAnswer.safeParse(await askTsserver(server, ['getEditsForRefactor', parameters], limits));
  const { edits, notApplicableReason } = answer.data?.body ?? { edits: [] };
  if (edits.length === 0) {
    const reason = notApplicableReason ?? 'it changes nothing here';
    throw new ExpectedError('edit.refused', `${server.name} refuses the refactoring: ${reason}`);
  }
  return edits.flatMap(({ fileName: path, textChanges }): WorkspaceStep[] => {
    const text = server.documents.tryTextOf(path) ?? '';
    const starts = lineStarts(text);
    const at = (sent: z.infer<typeof position>) => toPosition(sent, (line) => lineText(text, starts, line));
    const changes = textChanges.map(({ start, end, newText }) => ({
      range: { start: at(start), end: at(end) },
      newText,
    }));
    const file = server.files.fileAt(path);
    const edit = { do: 'edit' as const, file, edits: changes };
    return existsSync(path) ? [edit] : [{ do: 'create', file, ifExists: 'fail' }, edit];
  });
}

/** Makes tsserver indent new code as the file is indented, instead of by 4 spaces. */
async function useIndentation(server: LanguageServer, file: string, limits: RequestLimits): Promise<void> {
  const indentation = indentationOf(server.documents.tryTextOf(file) ?? '');
  if (indentation === undefined) return;
  const { size, isTab } = indentation;
  const formatOptions = { indentSize: size, tabSize: size, convertTabsToSpaces: !isTab };
  await askTsserver(server, ['configure', { file, formatOptions }], limits);
}

/**
 * Returns a tsserver position, which is 1-based, and 0 in new files, as an LSP position. In a file that was edited,
 * tsserver may put the start of a line after the line break before it.
 */
function toPosition(
  { line, offset }: z.infer<typeof position>,
  lineTextOf: (line: number) => string | undefined,
): Position {
  const [index, character] = [Math.max(line - 1, 0), Math.max(offset - 1, 0)];
  const isNextLine = character > (lineTextOf(index)?.length ?? character);
  return isNextLine ? { line: index + 1, character: 0 } : { line: index, character };
}

const specifiers = /\b(?:from|import)\s*\(?\s*(["'])(\.[^"'\n]*)\1/g;
const exported = /^export\s+(?!default\b)/;
const typeOnly = /^export\s+(?:declare\s+)?(?:interface|type)\b/;

/**
 * Returns the steps of a move of TypeScript or JavaScript that leave all users as they are: the old file exports the name
 * from the new one.
 *
 * @throws {ExpectedError} `edit.refused` for a declaration that has no `export` of its own.
 */
function reExporting(
  steps: readonly WorkspaceStep[],
  { move, text }: { move: SymbolMove; text: string },
): WorkspaceStep[] {
  const { file, name, target, targetText = '', range } = move;
  const starts = lineStarts(text);
  const line = lineText(text, starts, range.start.line) ?? '';
  if (!exported.test(line)) {
    throw new ExpectedError(
      'edit.refused',
      `cannot move \`${name}\` with \`re_export\`: its declaration does not begin with \`export\`, or is the default one; nothing was changed`,
      { hints: ['leave out `re_export`, so that the users are corrected'] },
    );
  }
  const kept = steps.filter((step) => step.file === file || step.file === target);
  const written = steps.flatMap((step) => (step.do === 'edit' ? step.edits.map(({ newText }) => newText) : []));
  const known = [text, targetText, ...written].flatMap((one) => [...one.matchAll(specifiers)]);
  const quote = known[0]?.[1] ?? "'";
  const end = /;[ \t]*$/m.test(text) ? ';' : '';
  const from = specifier(
    { file, target },
    known.map(([, , found = '']) => found),
  );
  const at = positionAt(text, starts, text.length);
  const statement = `export ${typeOnly.test(line) ? 'type ' : ''}{ ${name} } from ${quote}${from}${quote}${end}\n`;
  const newText = `${text.endsWith('\n') ? '' : '\n'}${statement}`;
  return [...kept, { do: 'edit', file, edits: [{ range: { start: at, end: at }, newText }] }];
}

/** Returns how the old file names the new one: with the ending that other imports have. */
function specifier({ file, target }: { file: string; target: string }, known: readonly string[]): string {
  const beside = relative(dirname(file), target);
  const named = beside.startsWith('.') ? beside : `./${beside}`;
  if (known.some((one) => /\.[cm]?tsx?$/.test(one))) return named;
  if (known.some((one) => /\.[cm]?jsx?$/.test(one))) return named.replace(/\.([cm]?)tsx?$/, '.$1js');
  return named.replace(/\.[cm]?[jt]sx?$/, '');
}

const offers = z.object({ body: z.array(z.object({ name: z.string() })) });
const refactor = 'Move to file';

/**
 * typescript-language-server 6.0 offers tsserver's "Move to a new file", but not "Move to file", whose target the client
 * must name. Covered by the moves of symbols in `test/languages/typescript/moves.test.ts`.
 */
export const moveToFile: NonNullable<ServerAdapter['moveSymbol']> = async (server, move, limits) => {
  const { file, target } = move;
  const { start, end } = move.range;
  const place = {
    file: server.files.pathOf(file),
    startLine: start.line + 1,
    startOffset: start.character + 1,
    endLine: end.line + 1,
    endOffset: end.character + 1,
  };
  const kind = { kind: 'refactor.move.file', triggerReason: 'invoked', includeInteractiveActions: true };
  const answer = await askTsserver(server, ['getApplicableRefactors', { ...place, ...kind }], limits);
  if (!offers.safeParse(answer).data?.body.some(({ name }) => name === refactor)) return undefined;
  const interactiveRefactorArguments = { targetFile: server.files.pathOf(target) };
  const parameters = { ...place, refactor, action: refactor, interactiveRefactorArguments };
  const steps = await requestRefactoring(server, parameters, limits);
  return move.reExports ? reExporting(steps, { move, text: server.documents.textOf(file) }) : steps;
};
