import type { ServerCapabilities } from 'vscode-languageserver-protocol';
import { semanticTokenNames } from '../lsp/client/handshake.ts';
import { runCommand } from './forwarded.ts';

/** LSP's `TextDocumentSyncKind.Full`: what a lost background service knew can be replayed from the last texts. */
const fullText = 1;

const allFiles = [{ scheme: 'file', pattern: { glob: '**/*' } }];

/**
 * The capabilities of this server. The client learns them before any language server has started: where the one of a
 * document cannot answer a request, the answer is `null`.
 */
export const capabilities: ServerCapabilities = {
  positionEncoding: 'utf-16',
  textDocumentSync: { openClose: true, change: fullText, save: { includeText: false } },
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  definitionProvider: true,
  declarationProvider: true,
  typeDefinitionProvider: true,
  implementationProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  hoverProvider: true,
  signatureHelpProvider: { triggerCharacters: ['(', ','], retriggerCharacters: [')'] },
  completionProvider: { resolveProvider: true, triggerCharacters: ['.', ':', '>', '/', '"', "'", '@', '<', '#'] },
  callHierarchyProvider: true,
  typeHierarchyProvider: true,
  renameProvider: { prepareProvider: true },
  codeActionProvider: { resolveProvider: true },
  executeCommandProvider: { commands: [runCommand] },
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  inlayHintProvider: { resolveProvider: true },
  semanticTokensProvider: { legend: semanticTokenNames, full: true },
  diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false },
  workspace: {
    workspaceFolders: { supported: true, changeNotifications: true },
    fileOperations: { willRename: { filters: allFiles } },
  },
};
