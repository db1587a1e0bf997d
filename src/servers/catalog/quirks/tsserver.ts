import { z } from 'zod';
import { isExpected } from '../../../base/errors.ts';
import type { RequestLimits } from '../../../lsp/client/connection.ts';
import type { LanguageServer } from '../../../lsp/client/language-server.ts';
import type { Diagnostic } from '../../../lsp/features/diagnostic.ts';
import { requestDiagnostics } from '../../../lsp/features/diagnostics.ts';
import { type Location, requestImplementations } from '../../../lsp/features/locations.ts';
import type { Quirks } from '../spec.ts';
import { renameWithPlainAliases } from './plain-aliases.ts';
import { withoutShorthands } from './without-shorthands.ts';

/** A place as tsserver counts, from 1. */
const place = z
  .object({ line: z.number(), offset: z.number() })
  .transform(({ line, offset }) => ({ line: line - 1, character: offset - 1 }));
const finding = z.object({ start: place, end: place, text: z.string(), code: z.number(), category: z.string() });
const diagnosed = z.object({ body: z.array(finding) });
const severities: Readonly<Record<string, number>> = { error: 1, warning: 2, message: 3, suggestion: 4 };

const implemented = z.object({ body: z.array(z.object({ file: z.string(), start: place, end: place })) });

const projectName = z.object({ body: z.object({ configFileName: z.string() }) });
const projectInfo = z.object({ body: z.object({ configFileName: z.string(), fileNames: z.array(z.string()) }) });
/** Files without a project of their own are put into a made-up one, which they leave when they are closed. */
const madeUp = /inferredProject\d+\*$/;

/**
 * tsserver 6.0 searches references in the projects it has loaded, and leaves out without a word what those exclude: the
 * tests beside `"include": ["src"]`, scripts in JavaScript, the files of a second `tsconfig.*.json`. It can tell which
 * files a project contains. The cases below TypeScript's conformance answers go red without this.
 */
const filesLoadedWith: NonNullable<Quirks['filesLoadedWith']> = async (server, path, limits) => {
  // A file that belongs to no project loads nothing else.
  const answer = await orNothing(ask(server, ['projectInfo', { file: path, needFileNameList: true }], limits));
  const { configFileName, fileNames } = projectInfo.safeParse(answer).data?.body ?? {
    configFileName: '',
    fileNames: [],
  };
  return madeUp.test(configFileName) ? [] : fileNames;
};

/**
 * typescript-language-server 6.0 passes file events on only where the client watches everything, `node_modules` included.
 * Otherwise tsserver watches by itself and may not have heard yet that a module is there, or is gone. The round of files
 * that come and go of TypeScript's diagnostics goes red without this.
 */
const rereadFiles: NonNullable<Quirks['rereadFiles']> = async (server, limits) => {
  await orNothing(ask(server, ['reloadProjects', {}, { expectsResult: false }], limits));
};

/**
 * typescript-language-server 6.0 publishes diagnostics after a pause, without the version of the text that they are about,
 * and the syntax errors of a large file before the rest. tsserver itself answers at once, about the text it was sent last.
 * "all of a file that takes its time" of TypeScript's diagnostics goes red without this.
 */
const diagnostics: NonNullable<Quirks['diagnostics']> = async (server, path, limits) => {
  const found = await Promise.all(
    ['syntactic', 'semantic', 'suggestion'].map(async (kind) => {
      const answer = await orNothing(ask(server, [`${kind}DiagnosticsSync`, { file: path }], limits));
      return diagnosed.safeParse(answer).data?.body.map((item) => toDiagnostic(item, kind === 'syntactic'));
    }),
  );
  // A server that a user has put in its place may not know these requests.
  return found.includes(undefined) ? requestDiagnostics(server, path, limits) : found.flatMap((part) => part ?? []);
};

function toDiagnostic(
  { start, end, text, code, category }: z.infer<typeof finding>,
  isSyntaxError: boolean,
): Diagnostic {
  // The source that typescript-language-server names.
  const told = { message: text, severity: severities[category], code, source: 'typescript' };
  return { range: { start, end }, ...told, isSyntaxError };
}

/** Sends one of tsserver's own requests. */
function ask(
  server: LanguageServer,
  request: [command: string, parameters: object, options?: object],
  limits: RequestLimits,
) {
  const params = { command: 'typescript.tsserverRequest', arguments: request };
  return server.request('workspace/executeCommand', params, limits);
}

/**
 * tsserver 6.0 searches implementations in one project, that of the file asked about, although other projects that it has
 * loaded contain the file too. Asked in the name of each, it searches them all. "an interface in a project of its own" of
 * TypeScript's implementations goes red without this.
 */
const implementations: NonNullable<Quirks['implementations']> = async (server, place, limits) => {
  const { line, character } = place.position;
  const found = new Map<string, Location>();
  let hasAnswered = false;
  for (const projectFileName of await projectsOfOpenFiles(server, limits)) {
    const at = { file: place.path, line: line + 1, offset: character + 1, projectFileName };
    // A project that does not contain the file refuses.
    const answer = implemented.safeParse(await orNothing(ask(server, ['implementation', at], limits)));
    hasAnswered ||= answer.success;
    for (const { file: path, start, end } of answer.data?.body ?? []) {
      found.set(JSON.stringify([path, start]), { path, range: { start, end } });
    }
  }
  return hasAnswered ? [...found.values()] : requestImplementations(server, place, limits);
};

async function projectsOfOpenFiles(server: LanguageServer, limits: RequestLimits): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const file of server.documents.openPaths()) {
    const answer = await orNothing(ask(server, ['projectInfo', { file, needFileNameList: false }], limits));
    const known = projectName.safeParse(answer);
    if (known.success) names.add(known.data.body.configFileName);
  }
  return names;
}

/** Returns what `answer` resolves with, or `undefined` where the server refuses to answer. */
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
  implementations,
  rename: renameWithPlainAliases,
};
