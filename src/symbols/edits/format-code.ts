import { ExpectedError } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import { requestFormatting } from '../../lsp/features/formatting.ts';
import { smallerEdits } from '../../text/diff.ts';
import { positionAt } from '../../text/position.ts';
import { textLines } from '../../text/text-lines.ts';
import { requireFile, resolveRoot } from '../model/scope.ts';
import { commitWatched, type EditScope } from './edit-problems.ts';
import { changedMeanwhile } from './edited-symbol.ts';
import type { FinishedEdit } from './finished-edit.ts';
import { optionsFor, requireFormatter, toTextEdit } from './format-inserted.ts';

/** Which lines of a file to format: 0-based, inclusive; the file ends with the last one if there is none. */
export interface FormatRequest {
  readonly relativePath: string;
  readonly startLine: number;
  readonly endLine: number | undefined;
}

/**
 * Formats lines of a file as its language server does, with the configuration of the project. Of a server that formats
 * whole files only, the changes of other lines are left out.
 *
 * @throws {ExpectedError} `file.*`; `edit.refused` if there is no formatter, or if it may not run; `symbol.bad-range`;
 *   `server.*`.
 */
export async function formatCode(scope: EditScope, edits: Edits, request: FormatRequest): Promise<FinishedEdit> {
  const { files, call } = scope;
  const root = await resolveRoot(scope, request.relativePath);
  requireFile(root);
  const file = root.path;
  const active = files.sources.requireServer(file);
  const draft = edits.open(file);
  const lines = textLines(draft.text);
  const { text, starts } = lines;
  const start = starts[request.startLine];
  const endLine = request.endLine ?? starts.length - 1;
  if (start === undefined || endLine < request.startLine || endLine >= starts.length)
    throw new ExpectedError('symbol.bad-range', `\`${file}\` has no lines ${request.startLine} to ${endLine}`, {
      hints: [`pass 0-based lines up to ${starts.length - 1}`],
    });
  const end = starts[endLine + 1] ?? text.length;
  const range = { start: positionAt(text, starts, start), end: positionAt(text, starts, end) };
  const sent = await files.ask(active, call, async (server) => {
    requireFormatter(scope, server, { active, draft });
    await files.show(server, file, call);
    const answer = await requestFormatting(
      server,
      { file, range, options: optionsFor(text, text) },
      files.limits(call),
    );
    if (server.documents.textOf(file) !== text) throw changedMeanwhile([file]);
    return answer;
  });
  const all = sent.flatMap((edit) => smallerEdits(text, toTextEdit(lines, edit, file)));
  const own = all.filter((edit) => edit.start >= start && edit.end <= end);
  for (const edit of own) draft.replace(edit.start, edit.end, edit.text);
  if (own.length > 0) await commitWatched(scope, edits, file);
  const lineAt = (offset: number) => positionAt(text, starts, offset).line;
  const changed = new Set(own.map((edit) => lineAt(edit.start)));
  return {
    done: own.length === 0 ? `\`${file}\` is formatted already` : `Formatted \`${file}\` with ${active.spec.name}`,
    places: own.length === 0 ? [] : [[file, changed.size]],
    also: [],
    open: [],
    mentions: [],
    notes: [],
  };
}
