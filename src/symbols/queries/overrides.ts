import { requestReferences } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { isOutside } from '../../text/place.ts';
import { isMemberKind } from '../model/kinds.ts';
import type { OutsideMember, Overrides, OverridesQuestion } from '../model/overrides.ts';
import { adapterOf, type SymbolScope } from '../model/scope.ts';
import { namePlace } from '../model/symbol.ts';
import { prepareServer } from '../prepare-servers/prepare-search.ts';
import { outsideMember } from './outside-members.ts';
import { implementedOverrides } from './overrides-by-interfaces.ts';

/**
 * Returns the overrides of a member; `undefined` for other symbols, and in languages whose servers rename all of them
 * together.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function overridesOf(scope: SymbolScope, question: OverridesQuestion): Promise<Overrides | undefined> {
  const { target } = question;
  const active = scope.files.sources.requireServer(target.file);
  const { overrides } = await adapterOf(scope, active, target.file);
  if (overrides !== undefined) return await overrides(scope, active, question);
  if (active.spec.quirks?.hasImplicitInterfaces === true) return await implementedOverrides(scope, active, question);
  if (active.spec.adapter?.listsOverriddenMembers === true) return await referencedOverrides(scope, active, question);
  return undefined;
}

/** Libraries in the project's directory. */
const library = /[\\/]node_modules[\\/]/;

/**
 * Returns the overrides of a member outside the project, for a server that lists the declarations in libraries as references
 * and renames the others itself.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
async function referencedOverrides(
  scope: SymbolScope,
  active: ActiveServer,
  { target }: OverridesQuestion,
): Promise<Overrides | undefined> {
  const { file, name, kind, parent } = target;
  if (parent === undefined || !isMemberKind(kind)) return undefined;
  const { files, call } = scope;
  const locations = await files.ask(active, call, async (server) => {
    await prepareServer(scope, { active, server, missing: 'References', file });
    await files.show(server, file, call);
    return await requestReferences(server, namePlace(target), files.limits(call));
  });
  const outside = new Map<string, OutsideMember>();
  for (const location of locations) {
    if (!isOutside(location) && !library.test(files.absolute(location.file))) continue;
    const member = await outsideMember(scope, location, name);
    outside.set(member.place, member);
  }
  const others = { members: [], implementedOutside: [], colliding: [], unknown: [], isPartial: false };
  return { ...others, outside: [...outside.values()] };
}
