import type { Call } from '../base/call.ts';
import type { Diagnostic } from '../lsp/documents/diagnostic.ts';
import { documentParams } from './params.ts';
import { ask, type Questions } from './questions.ts';
import type { LocatedFile } from './workspace.ts';

const unnecessaryTag = 1;

/** Returns the problems of a file as the client sees it; `undefined` if no language server has it. */
export async function problemsOf(
  questions: Questions,
  { root, file }: LocatedFile,
  call: Call,
): Promise<readonly object[] | undefined> {
  return await ask(questions, { root, name: 'textDocument/diagnostic' }, call, async ({ open, symbols, unsaved }) => {
    if (open.sources.serverOf(file) === undefined) return undefined;
    return (await symbols.withUnsaved(file, unsaved, () => symbols.problemsOf(file))).map(sentDiagnostic);
  });
}

/** Answers `textDocument/diagnostic`. */
export async function pulledProblems(questions: Questions, params: unknown, call: Call): Promise<object> {
  const located = questions.workspace.locate(documentParams.parse(params).textDocument.uri);
  const items = located && (await problemsOf(questions, located, call));
  return { kind: 'full', items: items ?? [] };
}

function sentDiagnostic({ range, message, severity, code, source, isUnnecessary, data }: Diagnostic): object {
  const tags = isUnnecessary ? [unnecessaryTag] : undefined;
  return { range, message, severity, code, source, tags, data };
}
