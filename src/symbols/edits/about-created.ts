import { basename } from 'node:path/posix';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';

/**
 * True if a diagnostic of planned texts is about an import of a file that they create: some servers look for modules on
 * disk only. Paths are project-relative.
 */
export function isAboutCreated(
  { spec: { quirks } }: ActiveServer,
  { message }: Diagnostic,
  created: readonly string[],
): boolean {
  const found = quirks?.missingModule?.exec(message);
  const name = (found?.[1] ?? found?.[2])?.split('.').at(-1);
  return name !== undefined && created.some((file) => basename(file).replace(/\.[^.]*$/, '') === name);
}
