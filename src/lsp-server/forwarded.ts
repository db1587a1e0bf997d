import type { LanguageServer } from '../lsp/client/language-server.ts';
import { readWorkspaceEdit } from '../lsp/features/rename.ts';
import { field } from '../lsp/readiness/readiness.ts';
import { type ProjectDirectory, resolveInProject } from '../search/project-path.ts';
import type { Client } from './client.ts';
import { withLegend } from './semantic-tokens.ts';

/** A request that the language server of the file answers. */
interface Forwarded {
  /** True if the answer depends on the whole project. */
  readonly needsProject?: true;
  /** Changes the server's answer for the client. */
  readonly adapt?: (answer: unknown, of: Answered) => unknown;
}

/** Where an answer comes from, and who gets it. */
interface Answered {
  readonly method: string;
  readonly uri: string;
  readonly server: LanguageServer;
  readonly client: Client;
  readonly project: ProjectDirectory;
}

/** Name of our command that runs a command of a language server. */
export const runCommand = 'serena.run';

const acrossFiles = { needsProject: true } as const;
const places = { needsProject: true, adapt: withoutLinks } as const;
const resolvable = { adapt: withOrigin } as const;

/** The requests that language servers answer in their own words, by method. */
export const forwarded: ReadonlyMap<string, Forwarded> = new Map<string, Forwarded>([
  ['textDocument/hover', {}],
  ['textDocument/definition', places],
  ['textDocument/declaration', places],
  ['textDocument/typeDefinition', places],
  ['textDocument/implementation', places],
  ['textDocument/references', acrossFiles],
  ['textDocument/prepareRename', {}],
  ['textDocument/rename', { needsProject: true, adapt: insideProject }],
  ['textDocument/documentHighlight', {}],
  ['textDocument/signatureHelp', {}],
  ['textDocument/completion', resolvable],
  ['completionItem/resolve', resolvable],
  ['textDocument/prepareCallHierarchy', acrossFiles],
  ['callHierarchy/incomingCalls', acrossFiles],
  ['callHierarchy/outgoingCalls', acrossFiles],
  ['textDocument/prepareTypeHierarchy', acrossFiles],
  ['typeHierarchy/supertypes', acrossFiles],
  ['typeHierarchy/subtypes', acrossFiles],
  ['textDocument/codeAction', resolvable],
  ['codeAction/resolve', resolvable],
  ['textDocument/formatting', {}],
  ['textDocument/rangeFormatting', {}],
  ['textDocument/foldingRange', {}],
  ['textDocument/selectionRange', {}],
  ['textDocument/inlayHint', resolvable],
  ['inlayHint/resolve', resolvable],
  ['textDocument/semanticTokens/full', { adapt: (answer, { server }) => withLegend(answer, server) }],
  ['workspace/willRenameFiles', { needsProject: true, adapt: insideProject }],
]);

/** Methods whose support is declared as an option of another one. */
const resolving: Readonly<Record<string, string>> = {
  'completionItem/resolve': 'textDocument/completion',
  'codeAction/resolve': 'textDocument/codeAction',
  'inlayHint/resolve': 'textDocument/inlayHint',
};

/** Returns the method by which a server declares that it answers `method`. */
export function declaringMethod(method: string): string {
  return isResolving(method) ? (resolving[method] ?? method) : method;
}

/** True if `method` completes an item of an earlier answer, which is right without it. */
export function isResolving(method: string): boolean {
  return Object.hasOwn(resolving, method);
}

/** True if the server answers a request that it may have declared as an option only. */
export function mayResolve(server: LanguageServer, method: string): boolean {
  return !isResolving(method) || server.supports(declaringMethod(method), 'resolveProvider');
}

/** Returns the URI of the document that a request is about, whatever its kind. */
export function documentOf(params: unknown): string | undefined {
  const [first]: unknown[] = [field(params, 'files')].flat();
  const uris = [
    field(field(params, 'textDocument'), 'uri'),
    field(field(params, 'item'), 'uri'),
    field(field(params, 'data'), originKey),
    field(first, 'oldUri'),
  ];
  return uris.find((uri) => typeof uri === 'string');
}

/** Returns the parameters of a request as the server of the file expects them; `uri` is the server's own of that file. */
export function paramsFor(params: object, uri: string): object {
  const data: unknown = field(params, 'data');
  if (field(data, originKey) !== undefined) return serverItem(params);
  if (field(params, 'textDocument') === undefined) return params;
  return { ...params, textDocument: { uri } };
}

/** Returns an item as its server sent it; see {@link ownItem}. */
function serverItem(item: object): object {
  const own = field(item, 'command');
  const [, command, args]: unknown[] = [field(own, 'arguments')].flat();
  const isOwn = field(own, 'command') === runCommand;
  const title = field(own, 'title');
  return {
    ...item,
    data: field(field(item, 'data'), 'data'),
    ...(isOwn ? { command: { title, command, arguments: args } } : {}),
  };
}

/**
 * Returns an edit of files in the project, as the server sent it.
 *
 * @throws {ExpectedError} `file.outside-project`; `edit.refused` for one that only the client of that server can make.
 */
export function insideProject(edit: unknown, { server, project }: Pick<Answered, 'server' | 'project'>): unknown {
  if (edit === null || edit === undefined) return edit;
  for (const step of readWorkspaceEdit(edit, server)) resolveInProject(project, step.file);
  return edit;
}

/** Member of the `data` of an item that names its document: the server is found by it when the item is resolved. */
const originKey = 'serenaDocument';

/** Returns an answer whose items name their document, and whose commands are run by way of ours. */
function withOrigin(answer: unknown, of: Answered): unknown {
  if (Array.isArray(answer)) return answer.flatMap((item: unknown) => ownItem(item, of) ?? []);
  const items = field(answer, 'items');
  if (Array.isArray(items)) return { ...Object(answer), items: withOrigin(items, of) };
  return typeof answer === 'object' && answer !== null ? ownItem(answer, of) : answer;
}

function ownItem(item: unknown, { server, uri }: Answered): object | undefined {
  const command = field(item, 'command');
  // A bare command.
  if (typeof command === 'string') return ownCommand(item, { server, uri });
  const data = { [originKey]: uri, data: field(item, 'data') };
  if (command === undefined || command === null) return { ...Object(item), data };
  const own = ownCommand(command, { server, uri });
  // Without its command, which is one of the client, an action may still have an edit.
  const { command: _, ...rest } = Object(item);
  if (own !== undefined) return { ...rest, command: own, data };
  return field(item, 'edit') === undefined && field(item, 'label') === undefined ? undefined : { ...rest, data };
}

/** Returns our command in place of one that the server declares; `undefined` for one that it leaves to the client. */
function ownCommand(command: unknown, { server, uri }: Pick<Answered, 'server' | 'uri'>): object | undefined {
  const name = field(command, 'command');
  if (typeof name !== 'string' || !server.supports('workspace/executeCommand', name)) return undefined;
  const args = field(command, 'arguments');
  const title = field(command, 'title');
  return { title, command: runCommand, arguments: [uri, name, Array.isArray(args) ? args : []] };
}

/** Returns locations in place of links unless the client accepts links. */
function withoutLinks(answer: unknown, { method, client }: Answered): unknown {
  const name = method.slice(method.lastIndexOf('/') + 1);
  if (!Array.isArray(answer) || client.can(`textDocument.${name}.linkSupport`)) return answer;
  return answer.map((one: unknown) => {
    const uri = field(one, 'targetUri');
    return uri === undefined ? one : { uri, range: field(one, 'targetSelectionRange') };
  });
}
