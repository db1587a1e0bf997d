import { z } from 'zod';
import { isExpected } from '../../base/errors.ts';
import type { RequestLimits } from '../../lsp/connection.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';
import type { Quirks } from '../spec.ts';

const projectInfo = z.object({ body: z.object({ configFileName: z.string(), fileNames: z.array(z.string()) }) });
/** Files without a project of their own are put into a made-up one, which they leave when they are closed. */
const madeUp = /inferredProject\d+\*$/;

/**
 * tsserver 6.0 searches references in the projects it has loaded, and leaves out without a word what those exclude: the
 * tests beside `"include": ["src"]`, scripts in JavaScript, the files of a second `tsconfig.*.json`. It can tell which
 * files a project contains. The cases below TypeScript's conformance answers go red without this.
 */
export const tsserverQuirks: Quirks = {
  async filesLoadedWith(server: LanguageServer, path: string, limits: RequestLimits) {
    const asked = ['projectInfo', { file: path, needFileNameList: true }];
    const params = { command: 'typescript.tsserverRequest', arguments: asked };
    try {
      const answer = projectInfo.safeParse(await server.request('workspace/executeCommand', params, limits));
      const { configFileName, fileNames } = answer.data?.body ?? { configFileName: '', fileNames: [] };
      return madeUp.test(configFileName) ? [] : fileNames;
    } catch (error) {
      // The file belongs to no project: then nothing is loaded with it.
      if (isExpected(error, 'server.refused')) return [];
      throw error;
    }
  },
};
