import { type Location, requestDefinition } from '../../../lsp/features/locations.ts';
import type { ActiveServer } from '../../../servers/assignment/source-files.ts';
import type { Position } from '../../../text/position.ts';
import type { SymbolScope } from '../../model/scope.ts';

/** Returns where the language server leads the name at a position of a project-relative file. */
export async function definitionsAt(
  { files, call }: SymbolScope,
  active: ActiveServer,
  { file, position }: { file: string; position: Position },
): Promise<readonly Location[]> {
  return await files.ask(active, call, async (server) => {
    const { path } = await files.show(server, file, call);
    return (await requestDefinition(server, { path, position }, files.limits(call))).locations;
  });
}
