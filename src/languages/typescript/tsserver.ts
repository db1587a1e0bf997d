import { z } from 'zod';
import { isExpected } from '../../base/errors.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import { requestDiagnostics } from '../../lsp/features/diagnostics.ts';
import { requestImplementations } from '../../lsp/features/locations.ts';
import type { ServerAdapter } from '../../servers/adapter.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { type Place, placeKey } from '../../text/place.ts';
import { renameWithPlainAliases, withoutShorthands } from './corrections.ts';
import { deletedDeclarator, importActions, typescriptChecks } from './deletions.ts';
import { askTsserver as ask, moveToFile, refactoringEdits } from './refactorings.ts';

/** A tsserver position, which is 1-based, as an LSP position. */
const position = z
  .object({ line: z.number(), offset: z.number() })
  .transform(({ line, offset }) => ({ line: line - 1, character: offset - 1 }));
const diagnosticItem = z.object({
  start: position,
  end: position,
  text: z.string(),
  code: z.number(),
  category: z.string(),
});
const diagnosticsAnswer = z.object({ body: z.array(diagnosticItem) });
const severities: Readonly<Record<string, number>> = { error: 1, warning: 2, message: 3, suggestion: 4 };

const implementationsAnswer = z.object({
  body: z.array(z.object({ file: z.string(), start: position, end: position })),
});

const projectName = z.object({ body: z.object({ configFileName: z.string() }) });
const projectInfo = z.object({ body: z.object({ configFileName: z.string(), fileNames: z.array(z.string()) }) });
/** tsserver assigns open files without a project to an inferred one. */
const inferredProject = /inferredProject\d+\*$/;

/**
 * tsserver 6.0 searches references in the projects that it has loaded, and silently omits files that these exclude:
 *
 * ```json
 * { "include": ["src"] }
 * ```
 *
 * Such files are tests beside `src`, scripts in JavaScript, and those of a second `tsconfig.*.json`. Returns the files of the
 * project of an open file. Covered by "files of several projects" in `test/languages/typescript/typescript.test.ts`.
 */
const filesLoadedWith: NonNullable<Quirks['filesLoadedWith']> = async (server, file, limits) => {
  // A file that belongs to no project loads no other files.
  const answer = await orNothing(
    ask(server, ['projectInfo', { file: server.files.pathOf(file), needFileNameList: true }], limits),
  );
  const { configFileName, fileNames } = projectInfo.safeParse(answer).data?.body ?? {
    configFileName: '',
    fileNames: [],
  };
  return inferredProject.test(configFileName) ? [] : fileNames.map((path) => server.files.fileAt(path));
};

/**
 * typescript-language-server 6.0 forwards file events only if the client watches everything, including `node_modules`.
 * Otherwise tsserver watches files itself and may not yet have noticed that a module was added or removed. Covered by
 * the test of files that are added and removed in `test/languages/typescript/queries.test.ts`.
 */
const rereadFiles: NonNullable<Quirks['rereadFiles']> = async (server, limits) => {
  await orNothing(ask(server, ['reloadProjects', {}, { expectsResult: false }], limits));
};

/**
 * typescript-language-server 6.0 publishes diagnostics after a pause, without the document's version, and the syntax
 * errors of a large file before the rest. tsserver itself answers at once, about the text it was last sent. Covered by
 * the test of a large file in `test/languages/typescript/queries.test.ts`.
 */
const diagnostics: NonNullable<Quirks['diagnostics']> = async (server, file, limits) => {
  const path = server.files.pathOf(file);
  const parts = await Promise.all(
    ['syntactic', 'semantic', 'suggestion'].map(async (kind) => {
      const answer = await orNothing(ask(server, [`${kind}DiagnosticsSync`, { file: path }], limits));
      return diagnosticsAnswer.safeParse(answer).data?.body.map((item) => toDiagnostic(item, kind === 'syntactic'));
    }),
  );
  // A user's own server in its place may not support these requests.
  return parts.includes(undefined) ? requestDiagnostics(server, file, limits) : parts.flatMap((part) => part ?? []);
};

function toDiagnostic(
  { start, end, text, code, category }: z.infer<typeof diagnosticItem>,
  isSyntaxError: boolean,
): Diagnostic {
  // `source` as typescript-language-server sets it.
  const details = { message: text, severity: severities[category], code, source: 'typescript' };
  return { range: { start, end }, ...details, isSyntaxError };
}

/**
 * tsserver 6.0 searches implementations in one project of the requested file:
 *
 * ```ts
 * // shape.ts, which the projects `app` and `tools` contain
 * export interface Shape {}   // classes of `tools` may be missing
 * ```
 *
 * One request for each project searches them all. Covered by the test of an interface in a separate project in
 * `test/symbols/queries/implementations.test.ts`.
 */
const implementations: NonNullable<Quirks['implementations']> = async (server, place, limits) => {
  const { line, character } = place.range.start;
  const found = new Map<string, Place>();
  let hasAnswered = false;
  for (const projectFileName of await projectsOfOpenFiles(server, limits)) {
    const at = { file: server.files.pathOf(place.file), line: line + 1, offset: character + 1, projectFileName };
    // A project that does not contain the file answers with an error.
    const answer = implementationsAnswer.safeParse(await orNothing(ask(server, ['implementation', at], limits)));
    hasAnswered ||= answer.success;
    for (const { file: path, start, end } of answer.data?.body ?? []) {
      const implementation = { file: server.files.fileAt(path), range: { start, end } };
      found.set(placeKey(implementation), implementation);
    }
  }
  return hasAnswered ? [...found.values()] : requestImplementations(server, place, limits);
};

async function projectsOfOpenFiles(server: LanguageServer, limits: RequestLimits): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const open of server.documents.openFiles()) {
    const file = server.files.pathOf(open);
    const answer = await orNothing(ask(server, ['projectInfo', { file, needFileNameList: false }], limits));
    const known = projectName.safeParse(answer);
    if (known.success) names.add(known.data.body.configFileName);
  }
  return names;
}

/** Returns the result of `answer`, or `undefined` if the server answers with an error. */
async function orNothing(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (isExpected(error, 'server.refused')) return undefined;
    throw error;
  }
}

export const tsserverQuirks: Quirks = {
  adjustSymbols: withoutShorthands,
  filesLoadedWith,
  rereadFiles,
  diagnostics,
  syntaxErrors: { isMarked: true },
  implementations,
  rename: renameWithPlainAliases,
  commandEdits: refactoringEdits,
  // As in ECMAScript.
  lineBreaks: /\r\n|[\n\r\u2028\u2029]/g,
  syntheticNames: ['<function>', '<class>', '<unknown>', ' callback'],
  // An overview of a script wrapped in a function shows the function's content.
  overview: { without: /^<function>$/ },
};

export const tsserverAdapter: ServerAdapter = {
  moveSymbol: moveToFile,
  // It renames the member without them.
  listsOverriddenMembers: true,
  editChecks: typescriptChecks,
  importActions,
  deletedPart: deletedDeclarator,
};
