import type { Call } from '../base/call.ts';
import { declaringMethod, documentOf, forwarded, isResolving, mayResolve, paramsFor } from './forwarded.ts';
import { type Asked, ask, type Questions } from './questions.ts';
import type { LocatedFile } from './workspace.ts';

/** A request of the client, unchecked. */
export interface ClientRequest {
  readonly method: string;
  readonly params: object;
}

/**
 * Returns the answer of the language server of a document to a request of {@link forwarded}; `null` if no server has it, or
 * if its server does not answer such requests.
 *
 * @throws {ExpectedError} `server.*`, `install.*`, `tool.*`.
 */
export async function forward(questions: Questions, request: ClientRequest, call: Call): Promise<unknown> {
  const uri = documentOf(request.params);
  const located = uri === undefined ? undefined : questions.workspace.locate(uri);
  if (uri === undefined || located === undefined) return null;
  return await ask(questions, { root: located.root, name: request.method }, call, (asked) =>
    forwardIn(questions, request, { ...asked, uri, file: located.file }),
  );
}

/** As {@link forward}, in a question about the project of a file. */
export async function forwardIn(
  { client }: Questions,
  { method, params }: ClientRequest,
  { open, symbols, call, unsaved, uri, file }: Asked & { readonly uri: string; readonly file: LocatedFile['file'] },
): Promise<unknown> {
  const { needsProject = false, adapt } = forwarded.get(method) ?? {};
  if (open.sources.serverOf(file) === undefined) return null;
  const limits = open.files.limits(call);
  const answer = await symbols.withUnsaved(file, unsaved, () =>
    symbols.forward(file, {
      method: declaringMethod(method),
      needsProject,
      send: async (server) => {
        if (!mayResolve(server, method)) return params;
        const sent = paramsFor(params, server.files.uriOf(file));
        const own = await server.request(method, sent, limits);
        return adapt === undefined ? own : adapt(own, { method, uri, server, client, project: open.project });
      },
    }),
  );
  return answer ?? (isResolving(method) ? params : null);
}
