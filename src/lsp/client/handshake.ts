import type { ClientCapabilities, InitializeParams, WorkspaceFolder } from 'vscode-languageserver-protocol';
import { toUri } from '../../base/paths.ts';
import type { PositionEncoding } from '../../text/position.ts';

export interface HandshakeOptions {
  /** Absolute path of the directory that the server serves. */
  readonly root: string;
  /** Absolute paths of the directories that it is told of; without any the root is the one. */
  readonly workspaceFolders?: readonly string[] | undefined;
  /** True if the server takes the root for one more directory to analyze beside the workspace folders. */
  readonly omitsRootUri?: boolean | undefined;
  readonly initializationOptions: unknown;
  /** What the server may count columns in, best first; UTF-16 code units alone if absent. */
  readonly positionEncodings?: readonly PositionEncoding[] | undefined;
}

/** clangd's: otherwise it asks for a progress token first, and reports that it indexes the project only after our answer. */
const progressCapability = { implicitWorkDoneProgressCreate: true };

const capabilities: ClientCapabilities = {
  window: { workDoneProgress: true, ...progressCapability, showMessage: {} },
  // rust-analyzer tells that it has read the project to those only that ask for it.
  experimental: { serverStatusNotification: true },
  workspace: {
    applyEdit: false,
    workspaceEdit: {
      documentChanges: true,
      resourceOperations: ['create', 'rename', 'delete'],
      failureHandling: 'transactional',
      normalizesLineEndings: true,
    },
    configuration: true,
    workspaceFolders: true,
    didChangeConfiguration: { dynamicRegistration: true },
    // Registered watchers are not needed: every change to a file the server claims is reported to it anyway.
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
  },
  textDocument: {
    synchronization: { dynamicRegistration: false, didSave: false },
    publishDiagnostics: { versionSupport: true, relatedInformation: false },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    references: { dynamicRegistration: false },
    definition: { linkSupport: true },
    implementation: { linkSupport: true },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    rename: { prepareSupport: true },
    // pyright lets itself be asked by those only that it can register it with.
    diagnostic: { dynamicRegistration: true },
  },
};

/** Returns the parameters of `initialize`. */
export function initializeParams(options: HandshakeOptions): InitializeParams {
  const uri = toUri(options.root);
  const general = {
    positionEncodings: [...(options.positionEncodings ?? ['utf-16' as const])],
    staleRequestSupport: { cancel: true, retryOnContentModified: [] },
  };
  return {
    processId: process.pid,
    clientInfo: { name: 'serena' },
    rootPath: options.omitsRootUri ? null : options.root,
    rootUri: options.omitsRootUri ? null : uri,
    workspaceFolders: workspaceFolders(options),
    capabilities: { general, ...capabilities },
    initializationOptions: options.initializationOptions ?? {},
  };
}

/** Returns the workspace folders that a server is told of. */
export function workspaceFolders({
  root,
  workspaceFolders: directories = [root],
}: HandshakeOptions): WorkspaceFolder[] {
  return directories.map(workspaceFolder);
}

function workspaceFolder(root: string): WorkspaceFolder {
  return { uri: toUri(root), name: root.split(/[\\/]/).at(-1) ?? root };
}
