import { requestDefinition } from '../../../lsp/features/locations.ts';
import type { ActiveServer } from '../../../servers/assignment/source-files.ts';
import type { Place } from '../../../text/place.ts';
import type { SymbolScope } from '../../model/scope.ts';

/** Returns where the language server leads the name at the start of a place. */
export async function definitionsAt(
  { files, call }: SymbolScope,
  active: ActiveServer,
  place: Place,
): Promise<readonly Place[]> {
  return await files.ask(active, call, async (server) => {
    await files.show(server, place.file, call);
    return (await requestDefinition(server, place, files.limits(call))).locations;
  });
}
