import { z } from 'zod';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import type { RequestLimits } from '../../lsp/connection.ts';
import type { Diagnostic } from '../../lsp/diagnostic.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';
import type { Quirks } from '../spec.ts';

/** A place as tsserver counts, from 1. */
const place = z
  .object({ line: z.number(), offset: z.number() })
  .transform(({ line, offset }) => ({ line: line - 1, character: offset - 1 }));
const found = z.object({ start: place, end: place, text: z.string(), code: z.number(), category: z.string() });
const diagnosed = z.object({ body: z.array(found) });
const severities: Readonly<Record<string, number>> = { error: 1, warning: 2, message: 3, suggestion: 4 };

const projectInfo = z.object({ body: z.object({ configFileName: z.string(), fileNames: z.array(z.string()) }) });
/** Files without a project of their own are put into a made-up one, which they leave when they are closed. */
const madeUp = /inferredProject\d+\*$/;

/**
 * tsserver 6.0 searches references in the projects it has loaded, and leaves out without a word what those exclude: the
 * tests beside `"include": ["src"]`, scripts in JavaScript, the files of a second `tsconfig.*.json`. It can tell which
 * files a project contains. The cases below TypeScript's conformance answers go red without this.
 */
const filesLoadedWith: NonNullable<Quirks['filesLoadedWith']> = async (server, path, limits) => {
  try {
    const answer = projectInfo.safeParse(
      await ask(server, ['projectInfo', { file: path, needFileNameList: true }], limits),
    );
    const { configFileName, fileNames } = answer.data?.body ?? { configFileName: '', fileNames: [] };
    return madeUp.test(configFileName) ? [] : fileNames;
  } catch (error) {
    // The file belongs to no project: then nothing is loaded with it.
    if (isExpected(error, 'server.refused')) return [];
    throw error;
  }
};

/**
 * typescript-language-server 6.0 publishes diagnostics after a pause, without the version of the text that they are about,
 * and the syntax errors of a large file before the rest. tsserver itself answers at once, about the text it was sent last.
 * "after an edit on disk" of TypeScript's diagnostics goes red without this.
 */
const diagnostics: NonNullable<Quirks['diagnostics']> = async (server, path, limits) => {
  const kinds = ['syntactic', 'semantic', 'suggestion'];
  const answers = await Promise.all(
    kinds.map(async (kind) => {
      const answer = diagnosed.safeParse(await ask(server, [`${kind}DiagnosticsSync`, { file: path }], limits));
      if (!answer.success)
        throw new ExpectedError('server.refused', `${server.name} does not tell ${kind} diagnostics`);
      return answer.data.body.map((item) => toDiagnostic(item, kind === 'syntactic'));
    }),
  );
  return answers.flat();
};

function toDiagnostic({ start, end, text, code, category }: z.infer<typeof found>, isSyntaxError: boolean): Diagnostic {
  // The source that typescript-language-server names.
  const told = { message: text, severity: severities[category], code, source: 'typescript' };
  return { range: { start, end }, ...told, isSyntaxError };
}

/** Sends one of tsserver's own requests. */
function ask(server: LanguageServer, request: [command: string, parameters: object], limits: RequestLimits) {
  const params = { command: 'typescript.tsserverRequest', arguments: request };
  return server.request('workspace/executeCommand', params, limits);
}

export const tsserverQuirks: Quirks = { filesLoadedWith, diagnostics };
