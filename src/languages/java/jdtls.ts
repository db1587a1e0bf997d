import { isExpected } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { toUri } from '../../base/paths.ts';
import { requestDiagnostics } from '../../lsp/features/diagnostics.ts';
import type { LibrarySource, Quirks } from '../../servers/quirks.ts';

/**
 * jdtls 1.59 publishes without a version, late, and at first about the previous text of a document or of other files. It
 * answers `java/buildWorkspace` once it has compiled all changes, and `java.project.refreshDiagnostics` once it has
 * published what is true then.
 *
 * @throws {ExpectedError} as {@link requestDiagnostics}.
 */
export const requestRefreshedDiagnostics: NonNullable<Quirks['diagnostics']> = async (server, path, limits) => {
  const command = 'java.project.refreshDiagnostics';
  try {
    await server.request('java/buildWorkspace', [false], limits);
    const refresh = { command, arguments: [toUri(path), 'thisFile', false] };
    await server.request('workspace/executeCommand', refresh, limits);
  } catch (error) {
    if (!isExpected(error, 'server.refused')) throw error;
    log('servers').debug(error.message);
    return requestDiagnostics(server, path, limits);
  }
  return server.documents.published.latest(path, limits);
};

const classFile = /^jdt:\/\/contents\/([^/?]+)\/([\w.$]*)\/([\w$]+)\.class(?:\?|$)/;

/** Returns the source file of a class file, such as `jdt://contents/java.base/java.util/Map$Entry.class?…`. */
export function sourceOfClass(uri: string): LibrarySource | undefined {
  const [, container, packages = '', name = ''] = classFile.exec(uri) ?? [];
  if (container === undefined) return undefined;
  const file = `${name.replace(/(?<=.)\$.*$/, '')}.java`;
  return { container, path: packages === '' ? file : `${packages.replaceAll('.', '/')}/${file}` };
}
