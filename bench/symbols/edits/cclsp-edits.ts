import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { cclspVersion, startCclsp } from '../running/start-cclsp.ts';
import type { EditContender } from './model.ts';

/** cclsp, with the language server of the product. */
export const cclspEdits: EditContender = {
  name: `cclsp ${cclspVersion}`,
  note:
    '`rename_symbol_strict` at the line and column of the declaration. It cannot delete. The first answer of a session, which ' +
    'may come before the language server is ready, does not count. Its backups (`.bak`) of changed files are removed.',
  seesForeignChanges: false,
  version: async () => cclspVersion,

  async start(pack, directory) {
    const run = await startCclsp(pack, directory);
    let isLoaded = false;
    return {
      canContinue: true,
      async rename({ name, at }, newName) {
        const path = join(directory, at.file);
        if (!isLoaded) await run.call('find_references', { file_path: path, symbol_name: name });
        isLoaded = true;
        const position = { file_path: path, line: at.line + 1, character: at.column + 1 };
        const { text, isError, cost } = await run.call('rename_symbol_strict', { ...position, new_name: newName });
        for (const [, changed = ''] of text.matchAll(/^- (.+)$/gm)) rmSync(`${changed}.bak`, { force: true });
        const isDone = !isError && text.startsWith('Successfully renamed');
        return isDone ? { outcome: 'done', cost } : { outcome: 'refused', label: text, cost };
      },
      safeDelete: async () => ({ outcome: 'cannot' }),
      stop: run.stop,
    };
  },
};
