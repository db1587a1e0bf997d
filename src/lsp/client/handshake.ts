import type { ClientCapabilities, InitializeParams, WorkspaceFolder } from 'vscode-languageserver-protocol';
import { toUri } from '../../base/paths.ts';
import type { PositionEncoding } from '../../text/position.ts';

export interface HandshakeOptions {
  /** Absolute path of the directory that the server serves. */
  readonly root: string;
  /** Absolute paths of the workspace folders; the root alone by default. */
  readonly workspaceFolders?: readonly string[] | undefined;
  /** True if only workspace folders are sent, because the server would analyze the root in addition to them. */
  readonly omitsRootUri?: boolean | undefined;
  /** True if the server may publish diagnostics that only mark unused and unreachable code. */
  readonly acceptsUnnecessary?: boolean | undefined;
  readonly initializationOptions: unknown;
  /** Position encodings to offer, best first; UTF-16 alone by default. */
  readonly positionEncodings?: readonly PositionEncoding[] | undefined;
}

/**
 * A clangd extension: without it clangd first requests a progress token, and reports indexing only after the answer.
 */
const progressCapability = { implicitWorkDoneProgressCreate: true };

const codeActionKinds = [
  ...['', 'quickfix', 'refactor', 'refactor.extract', 'refactor.inline', 'refactor.move', 'refactor.rewrite'],
  ...['source', 'source.organizeImports', 'source.fixAll'],
];

/** The types and modifiers of semantic tokens that LSP defines. */
export const semanticTokenNames = {
  tokenTypes: [
    ...['namespace', 'type', 'class', 'enum', 'interface', 'struct', 'typeParameter', 'parameter', 'variable'],
    ...['property', 'enumMember', 'event', 'function', 'method', 'macro', 'keyword', 'modifier', 'comment', 'string'],
    ...['number', 'regexp', 'operator', 'decorator', 'label'],
  ],
  tokenModifiers: [
    ...['declaration', 'definition', 'readonly', 'static', 'deprecated', 'abstract', 'async', 'modification'],
    ...['documentation', 'defaultLibrary'],
  ],
};

/**
 * What requests of LSP clients need, which are forwarded to the server: only what every client can show. Not `declaration`,
 * which servers answer without it: for clients that have it, pyright leads definitions past stubs, and the ledger then
 * misses uses.
 */
const forwarded: ClientCapabilities['textDocument'] = {
  completion: { completionItem: { documentationFormat: ['markdown', 'plaintext'], deprecatedSupport: true } },
  signatureHelp: { signatureInformation: { documentationFormat: ['markdown', 'plaintext'] } },
  typeDefinition: { linkSupport: true },
  documentHighlight: {},
  foldingRange: { lineFoldingOnly: true },
  selectionRange: {},
  inlayHint: {},
  semanticTokens: {
    requests: { full: true },
    formats: ['relative'],
    ...semanticTokenNames,
  },
};

const capabilities: ClientCapabilities = {
  window: { workDoneProgress: true, ...progressCapability, showMessage: {} },
  // rust-analyzer reports that it has read the project only to clients with this capability.
  experimental: { serverStatusNotification: true },
  workspace: {
    // Of commands only: their edits are collected and applied with those of the call.
    applyEdit: true,
    // Moved files are reported as deleted and created ones.
    fileOperations: { dynamicRegistration: true, willRename: true },
    workspaceEdit: {
      documentChanges: true,
      resourceOperations: ['create', 'rename', 'delete'],
      failureHandling: 'transactional',
      normalizesLineEndings: true,
    },
    configuration: true,
    workspaceFolders: true,
    didChangeConfiguration: { dynamicRegistration: true },
    // Registered watchers are ignored: every change to a file that the server claims is reported to it anyway.
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
  },
  textDocument: {
    ...forwarded,
    synchronization: { dynamicRegistration: false, didSave: false },
    publishDiagnostics: { versionSupport: true, relatedInformation: false, dataSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    references: { dynamicRegistration: false },
    definition: { linkSupport: true },
    implementation: { linkSupport: true },
    callHierarchy: { dynamicRegistration: false },
    typeHierarchy: { dynamicRegistration: false },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    rename: { prepareSupport: true },
    formatting: { dynamicRegistration: false },
    rangeFormatting: { dynamicRegistration: false },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: [...codeActionKinds] } },
      dataSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
    // pyright answers `textDocument/diagnostic` only to clients with which it can register it.
    diagnostic: { dynamicRegistration: true },
  },
};

const withUnnecessary: ClientCapabilities = {
  ...capabilities,
  textDocument: {
    ...capabilities.textDocument,
    publishDiagnostics: { ...capabilities.textDocument?.publishDiagnostics, tagSupport: { valueSet: [1] } },
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
    capabilities: { general, ...(options.acceptsUnnecessary ? withUnnecessary : capabilities) },
    initializationOptions: options.initializationOptions ?? {},
  };
}

export function workspaceFolders({
  root,
  workspaceFolders: directories = [root],
}: HandshakeOptions): WorkspaceFolder[] {
  return directories.map(workspaceFolder);
}

function workspaceFolder(root: string): WorkspaceFolder {
  return { uri: toUri(root), name: root.split(/[\\/]/).at(-1) ?? root };
}
