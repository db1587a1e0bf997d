import { requestReferences } from '../../lsp/features/locations.ts';
import { requestRename } from '../../lsp/features/rename.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { lineStarts } from '../../text/lines.ts';
import { offsetAt } from '../../text/position.ts';
import { PythonNames } from '../../text/python-code/python-names.ts';
import { lateGlobals } from './late-globals.ts';
import { withUnreachable } from './unreachable.ts';

/**
 * pyright 1.1.414 does not rename in files that its configuration excludes, although it reports references in those
 * that are open: they would keep the old name. Covered by "a rename changes what the server knows but leaves out" of
 * the cross-check's tests.
 */
const rename: NonNullable<Quirks['rename']> = async (server, request, limits) => {
  const steps = await requestRename(server, request, limits);
  const edited = new Set(steps.flatMap((step) => (step.do === 'edit' ? [step.path] : [])));
  const name = /^[\p{L}\p{N}_]*/u.exec(textFrom(server.documents.textOf(request.path), request.position))?.[0] ?? '';
  const references = await requestReferences(server, request, limits);
  const left = references.filter(
    ({ path, range }) =>
      !edited.has(path) &&
      server.documents.isOpen(path) &&
      textFrom(server.documents.textOf(path), range.start).startsWith(name),
  );
  const added = [...Map.groupBy(left, ({ path }) => path)].map(([path, own]) => ({
    do: 'edit' as const,
    path,
    edits: own.map(({ range }) => ({ range, newText: request.newName })),
  }));
  return [...steps, ...added];
};

function textFrom(text: string, position: { line: number; character: number }): string {
  return text.slice(offsetAt(text, lineStarts(text), position) ?? text.length);
}

export const pyrightQuirks: Quirks = {
  rename,
  importRule: 'python',
  // pyright renames what may be the member of one of several types (`x: A | B`), also if the others keep the name. Covered
  // by `test/tools/symbolic-edit/families.test.ts`.
  editChecks: { checksRenamedMembers: true, unusedCodes: [] },
  missingModule: /^Import "([^"]+)" could not be resolved|^"([^"]+)" is unknown import symbol/,
  completeSymbols: withUnreachable,
  moreDiagnostics: lateGlobals,
  // pyright resolves uses to stubs, and renames the definition without the stub, or the reverse; in code that it takes
  // for unreachable it resolves nothing, and lists what has the same name.
  namesInCode: (read) => new PythonNames(read),
  // Without it a large project takes minutes under Bun.
  preload: 'heap-statistics',
  supportsClosedFiles: true,
  // Behind conditions on the platform and the version of Python that are false here. pyright also skips code that only
  // runs without a type checker, which is meant.
  skippedCode: {
    marked: /statically evaluated as false/,
    cause: /\b(?:sys\.platform|platform\.system|version_info|os\.name)\b/,
  },
  // All other errors have a rule.
  syntaxErrors: { hasNoCode: true },
};
