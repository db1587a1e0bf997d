import { join } from 'node:path';
import type { Exchange } from '../running/mcp-run.ts';
import { agentLspVersion, startAgentLsp } from '../running/start-agent-lsp.ts';
import type { EditAnswer, EditContender } from './model.ts';

/** agent-lsp, with the language server of the product. */
export const agentLspEdits: EditContender = {
  name: `agent-lsp ${agentLspVersion}`,
  note:
    '`rename_symbol` at the line and column of the declaration, and `safe_delete_symbol` with its path. The first answer of a ' +
    'session, which may come before the language server has loaded the project, does not count.',
  seesForeignChanges: false,
  version: async () => agentLspVersion,

  async start(pack, directory) {
    const run = await startAgentLsp(pack, directory);
    let isLoaded = false;
    const load = async (file: string, line: number, column: number) => {
      const position = { file_path: join(directory, file), line: line + 1, column: column + 1 };
      if (!isLoaded) await run.call('find_references', position);
      isLoaded = true;
      return position;
    };
    return {
      canContinue: true,
      async rename({ at }, newName) {
        const position = await load(at.file, at.line, at.column);
        return toAnswer(await run.call('rename_symbol', { ...position, new_name: newName }));
      },
      async safeDelete({ at, namePath }) {
        const { file_path } = await load(at.file, at.line, at.column);
        const symbolPath = namePath.replaceAll('/', '.');
        return toAnswer(await run.call('safe_delete_symbol', { file_path, symbol_path: symbolPath }));
      },
      stop: run.stop,
    };
  },
};

function toAnswer({ text, isError, cost }: Exchange): EditAnswer {
  return isError ? { outcome: 'refused', label: text, cost } : { outcome: 'done', cost };
}
