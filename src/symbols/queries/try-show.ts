import { isExpected } from '../../base/errors.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { SymbolScope } from '../model/scope.ts';

/** Opens a file in the server. Returns false if the file cannot be read. */
export async function tryShow(scope: SymbolScope, server: LanguageServer, file: string): Promise<boolean> {
  try {
    await scope.files.show(server, file, scope.call);
    return true;
  } catch (error) {
    if (isExpected(error) && error.code.startsWith('file.')) return false;
    throw error;
  }
}
