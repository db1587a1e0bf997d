import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Call } from '../../base/call.ts';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import type { FileDraft } from '../../edits/file-draft.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { canFormat, type FormattingOptions, requestFormatting } from '../../lsp/features/formatting.ts';
import type { RangeEdit } from '../../lsp/features/rename.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { applyEdits, type TextEdit } from '../../text/apply-edits.ts';
import { smallerEdits } from '../../text/diff.ts';
import { indentationOf, markLength, normalizeNewlines } from '../../text/lines.ts';
import { positionAt } from '../../text/position.ts';
import { textLines } from '../../text/text-lines.ts';
import { type Span, spanOf } from '../model/text-range.ts';
import type { EditScope } from './edit-problems.ts';
import { changedMeanwhile } from './edited-symbol.ts';

/** The server may have to start; an edit does not wait longer for its format. */
const patienceMs = 15_000;

/**
 * Plans an edit of `draft`. In a project that configures it, the new text is formatted by the language server first: only
 * that text, as if it were the only edit of the file. What prevents it is a note of the answer and does not prevent the
 * edit.
 */
export async function planInserted(scope: EditScope, draft: FileDraft, edit: TextEdit): Promise<void> {
  const given = { ...edit, text: normalizeNewlines(edit.text) };
  const { config } = scope.files.project;
  const text = config.format_inserted_code ? await formatted(scope, draft, given) : given.text;
  draft.replace(edit.start, edit.end, text);
}

async function formatted(scope: EditScope, draft: FileDraft, edit: TextEdit): Promise<string> {
  const { call, files } = scope;
  const active = files.sources.requireServer(draft.path);
  const patience = AbortSignal.timeout(patienceMs);
  try {
    const limited = { ...call, signal: AbortSignal.any([call.signal, patience]) };
    await files.ask(active, limited, async (server) => requireFormatter(scope, server, { active, draft }));
    const text = await requestFormatted(scope, { active, draft, edit, call: limited });
    if (text !== edit.text) scope.notes.add(`${active.spec.name} formatted the new code in \`${draft.path}\``);
    return text;
  } catch (error) {
    call.signal.throwIfAborted();
    if (!patience.aborted && !isExpected(error)) throw error;
    const reason = patience.aborted ? `${active.spec.name} did not answer in time` : messageIn(error);
    scope.notes.add(`The new code in \`${draft.path}\` was not formatted: ${reason}`);
    return edit.text;
  }
}

function messageIn(error: unknown): string {
  return isExpected(error) ? error.message : String(error);
}

/** @throws {ExpectedError} if there is no formatter, if it may not run, or if it would not format as the project does. */
export function requireFormatter(
  { files }: EditScope,
  server: LanguageServer,
  { active: { spec }, draft }: { active: ActiveServer; draft: FileDraft },
): void {
  if (!canFormat(server)) throw refused(`${spec.name} has no formatter`);
  if (spec.formatsItself !== true && !files.project.isTrusted) {
    throw refused(`${spec.name} may run programs to format, and the project is not trusted`);
  }
  const names = spec.quirks?.formatterConfig;
  if (names === undefined || hasAbove(dirname(files.absolute(draft.path)), names)) return;
  throw refused(`${spec.name} formats only with ${names.map((name) => `\`${name}\``).join(' or ')}`);
}

function hasAbove(directory: string, names: readonly string[]): boolean {
  if (names.some((name) => existsSync(join(directory, name)))) return true;
  const parent = dirname(directory);
  return parent !== directory && hasAbove(parent, names);
}

/** An edit whose new text is to be formatted. */
interface FormattedEdit {
  readonly active: ActiveServer;
  readonly draft: FileDraft;
  readonly edit: TextEdit;
  readonly call: Call;
}

/** Returns the new text of an edit, formatted. */
async function requestFormatted(scope: EditScope, { active, draft, edit, call }: FormattedEdit): Promise<string> {
  const { files } = scope;
  const { path } = draft;
  const lines = textLines(applyEdits(draft.text, [edit], path));
  const { text, starts } = lines;
  const code = codeIn(edit);
  // Servers count a byte order mark as a character of the first line, or not.
  if (markLength(text) > 0 && code.start < (starts[1] ?? text.length)) {
    throw refused('it is in the first line, after a byte order mark');
  }
  const range = { start: positionAt(text, starts, code.start), end: positionAt(text, starts, code.end) };
  const options = optionsFor(draft.text, text);
  const sent = await files.tryTexts(active, call, new Map([[path, text]]), () =>
    files.ask(active, call, async (server) => {
      const request = { file: path, range, options };
      const answer = await requestFormatting(server, request, files.limits(call));
      // A server that was started again has the text on disk.
      if (server.documents.textOf(path) !== text) throw changedMeanwhile([path]);
      return answer;
    }),
  );
  const edits = sent.map((one) => toTextEdit(lines, one, path));
  const added = formattedPart(text, code, edits, path);
  return edit.text.slice(0, code.start - edit.start) + added + edit.text.slice(code.end - edit.start);
}

/** Returns where the code of an edit will be, without the empty lines around it. */
function codeIn({ start, text }: TextEdit): Span {
  const head = /^(?:[ \t]*\n)*/.exec(text)?.[0].length ?? 0;
  return { start: start + head, end: start + Math.max(head, text.trimEnd().length) };
}

/** Returns how a text is indented, for a formatter without a configuration. */
export function optionsFor(before: string, after: string): FormattingOptions {
  const { size, isTab } = indentationOf(before) ?? indentationOf(after) ?? { size: 4, isTab: false };
  return { tabSize: size, insertSpaces: !isTab };
}

/** Returns an edit of a formatter as offsets. @throws {ExpectedError} `edit.refused`. */
export function toTextEdit(lines: Parameters<typeof spanOf>[0], { range, newText }: RangeEdit, path: string): TextEdit {
  const span = spanOf(lines, range);
  if (span === undefined) throw refused(`the formatter's edits do not fit the text of \`${path}\``);
  return { ...span, text: normalizeNewlines(newText) };
}

/**
 * Returns the text of `code` after those of a formatter's edits that are inside. If others change more than white space,
 * as when lines are sorted, the ones inside may as well change white space only: together they may move code.
 *
 * @throws {ExpectedError} `edit.refused`.
 */
function formattedPart(text: string, code: Span, edits: readonly TextEdit[], path: string): string {
  const isInside = ({ start, end }: TextEdit) => start >= code.start && end <= code.end && start < code.end;
  const all = edits.flatMap((edit) => (isInside(edit) ? [edit] : smallerEdits(text, edit)));
  const inside = all.filter(isInside);
  const outside = all.filter((edit) => !isInside(edit));
  const changesCode = (edit: TextEdit) => plain(text.slice(edit.start, edit.end)) !== plain(edit.text);
  if (inside.some(changesCode) && outside.some(changesCode)) {
    throw refused('the formatter would change code around it as well');
  }
  const grown = inside.reduce((sum, edit) => sum + edit.text.length - (edit.end - edit.start), 0);
  return applyEdits(text, inside, path).slice(code.start, code.end + grown);
}

function plain(text: string): string {
  return text.replace(/\s+/g, '');
}

function refused(reason: string): ExpectedError {
  return new ExpectedError('edit.refused', reason);
}
