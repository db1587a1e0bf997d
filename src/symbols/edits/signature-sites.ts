import { mapConcurrently } from '../../base/concurrent.ts';
import type { Edits } from '../../edits/edits.ts';
import type { FileDraft } from '../../edits/file-draft.ts';
import type { ParsedProfile } from '../../languages/language-profile.ts';
import { parsedProfiles } from '../../languages/profiles.ts';
import type { SignatureRules } from '../../languages/signature-rules.ts';
import { requestDefinition } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { CallSite, DeclarationSite, SignatureSite } from '../../syntax/signatures.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import {
  comparePositions,
  distinctPlaces,
  isOutside,
  isSamePlace,
  type Place,
  placeAt,
  placeKey,
} from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { isCallable, isTypeKind } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace, type SymbolNode } from '../model/symbol.ts';
import { syntaxLanguageOf } from '../model/syntax-language.ts';
import { textSearch } from '../model/text-search.ts';
import { editLimits } from '../occurrences/ledger.ts';
import { fileInProject, keepProjectLocations } from '../queries/project-locations.ts';
import { aliasReferences } from '../queries/references.ts';
import { identifierOf, type Target } from './edited-symbol.ts';
import type { RenameProposal } from './rename-proposal.ts';

/** A place of a name with what it is there. */
export interface Sited<Site extends SignatureSite = SignatureSite> {
  readonly place: Place;
  readonly draft: FileDraft;
  readonly site: Site;
}

/** Returns how signatures look in the language of a server's file; `undefined` if it is not known. */
export function signatureRulesOf({ spec }: ActiveServer, file: string): SignatureRules | undefined {
  const language = syntaxLanguageOf(spec, file);
  const profile: ParsedProfile | undefined = language && parsedProfiles[language];
  return profile?.signatures;
}

/** Returns what the names at places of one server's files are. */
export async function sitesAt(
  { files }: SymbolScope,
  edits: Edits,
  { active, places }: { active: ActiveServer; places: readonly Place[] },
): Promise<Sited[]> {
  const byFile = [...Map.groupBy(distinctPlaces(places), ({ file }) => file)];
  const found = await mapConcurrently(byFile, 4, async ([file, own]) => {
    const draft = edits.open(file);
    const language = files.sources.serverOf(file) === active ? syntaxLanguageOf(active.spec, file) : undefined;
    const sorted = own.toSorted((a, b) => comparePositions(a.range.start, b.range.start));
    const starts = sorted.map(({ range }) => range.start);
    const sites = language === undefined ? [] : await syntaxTrees.signatures(language, draft.text, starts);
    const unread: SignatureSite = { is: 'other', reason: 'its language is another one' };
    return sorted.map((place, index) => ({ place, draft, site: sites[index] ?? unread }));
  });
  return found.flat();
}

/**
 * Returns the places in the project's sources where the target of a proposal, and what is renamed with it, has its name:
 * those that a rename would change, the references, and those under the names that imports give it.
 */
export async function placesOfName(
  scope: SymbolScope,
  active: ActiveServer,
  { target, proposal }: { target: Target; proposal: RenameProposal },
): Promise<Place[]> {
  const { references, steps } = proposal;
  // A server may replace all text between two places at once.
  const edited = steps.flatMap((step) => {
    const file = fileInProject(scope, step.file);
    return step.do === 'edit' && file !== undefined ? step.edits.map(({ range }) => ({ file, range })) : [];
  });
  const own = references?.own ?? [];
  const name = identifierOf(target);
  const aliased =
    references === undefined
      ? []
      : await scope.files.ask(active, scope.call, (server) =>
          aliasReferences(
            scope,
            { active, server, target: target.symbol, name, text: undefined },
            references,
            editLimits,
          ),
        );
  const all = [...edited, ...own, ...aliased].filter((place) => !isOutside(place));
  return await keepProjectLocations(scope, distinctPlaces([namePlace(target.symbol), ...all]));
}

/** Returns the names of the functions that have the name of a target in its scope. */
export async function overloadsOf(scope: SymbolScope, targets: readonly Target[]): Promise<Place[]> {
  const found: Place[] = [];
  for (const { symbol } of targets) {
    const siblings = symbol.parent?.children ?? (await scope.files.treeOf(symbol.file, scope.call));
    found.push(...siblings.filter((one) => one.name === symbol.name && isCallable(one)).map(namePlace));
  }
  return found;
}

/** Occurrences that are decided by the server at most; a name with more is used for much else. */
const maxAliased = 200;

/**
 * Returns the places under the other names that imports give a symbol, which some servers do not list among its
 * references, and the imports that may be used in further places.
 */
export async function placesOfAliases(
  scope: SymbolScope,
  active: ActiveServer,
  sites: readonly Sited[],
): Promise<{ readonly places: readonly Place[]; readonly open: readonly Place[] }> {
  const { files, call } = scope;
  const known = new Set(sites.map(({ place }) => placeKey(place)));
  const places: Place[] = [];
  const open: Place[] = [];
  for (const { place, draft, site } of sites) {
    if (site.is !== 'import' || site.alias === undefined) continue;
    const { name, start } = site.alias;
    const at = placeAt(place.file, positionAt(draft.text, draft.lines.starts, start));
    const text = await textSearch(scope, { active, name })?.();
    const found = (text?.files ?? []).flatMap(({ path, places: own }) =>
      own.map((position) => placeAt(path, position, name.length)),
    );
    const others = found.filter((one) => !known.has(placeKey(one)) && !isSamePlace(one, at));
    if (text === undefined || others.length > maxAliased) open.push(place);
    else {
      for (const one of others) {
        const { locations } = await files.ask(active, call, async (server) => {
          await files.show(server, one.file, call);
          return await requestDefinition(server, one, files.limits(call));
        });
        if (locations.some((location) => known.has(placeKey(location)) || isSamePlace(location, at))) places.push(one);
      }
    }
  }
  return { places, open };
}

/** True if the call passes the receiver as its first argument, because its qualifier is the name of a type. */
export async function passesReceiver(
  scope: SymbolScope,
  active: ActiveServer,
  { place, draft, site }: Sited<CallSite>,
): Promise<boolean> {
  if (site.qualifier === undefined || site.arguments.length === 0) return site.passesReceiver;
  const { files, call } = scope;
  const at = placeAt(place.file, positionAt(draft.text, draft.lines.starts, site.qualifier));
  const { locations } = await files.ask(active, call, async (server) => {
    await files.show(server, place.file, call);
    return await requestDefinition(server, at, files.limits(call));
  });
  for (const one of await keepProjectLocations(scope, locations)) {
    const [symbol] = symbolsNamedAt(await files.treeOf(one.file, call), [one.range.start]);
    if (symbol !== undefined && isTypeKind(symbol.kind)) return true;
  }
  return site.passesReceiver;
}

export function isDeclaration(one: Sited): one is Sited<DeclarationSite> {
  return one.site.is === 'declaration';
}

export function isCall(one: Sited): one is Sited<CallSite> {
  return one.site.is === 'call';
}

/** True if a declaration is an overload of the target. */
export function isOverloadOf({ place }: Sited, target: SymbolNode): boolean {
  const siblings = target.parent?.children ?? [];
  if (place.file !== target.file) return false;
  const isAt = (one: SymbolNode) => one.name === target.name && placeKey(namePlace(one)) === placeKey(place);
  return siblings.some(isAt) || target.parent === undefined;
}
