import { z } from 'zod';

const document = z.object({ uri: z.string() });
const position = z.object({ line: z.int().min(0), character: z.int().min(0) });

/** LSP's `Range`. */
export const rangeSchema = z.object({ start: position, end: position });

/** Parameters of requests about a document. */
export const documentParams = z.object({ textDocument: document });

/** Parameters of requests about a position in a document. */
export const positionParams = documentParams.extend({ position });

export const referenceParams = positionParams.extend({
  context: z.object({ includeDeclaration: z.boolean() }),
});

export const renameParams = positionParams.extend({ newName: z.string() });

/** Parameters of `workspace/symbol`. */
export const queryParams = z.object({ query: z.string() });

/** Parameters of our command; see `ownCommand`. */
export const commandParams = z.object({
  command: z.string(),
  arguments: z.tuple([z.string(), z.string(), z.array(z.unknown())]),
});

const folders = z.array(z.object({ uri: z.string() }));

export const initializeParams = z.object({
  capabilities: z.unknown(),
  clientInfo: z.object({ name: z.string(), version: z.string().optional() }).nullish(),
  rootUri: z.string().nullish(),
  rootPath: z.string().nullish(),
  workspaceFolders: folders.nullish(),
});

/** Parameters of `workspace/didChangeWorkspaceFolders`. */
export const foldersParams = z.object({ event: z.object({ added: folders, removed: folders }) });
