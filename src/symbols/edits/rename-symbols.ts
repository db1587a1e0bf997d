import { ExpectedError } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import { comparePlaces, distinctPlaces, type Place } from '../../text/place.ts';
import { namePathOf } from '../model/name-path.ts';
import { spanOf } from '../model/text-range.ts';
import { commitWatched, type EditScope } from './edit-problems.ts';
import { takenName } from './exposure.ts';
import type { FinishedEdit, RenameCall } from './finished-edit.ts';
import { longLinesNote } from './long-lines.ts';
import { findMentions, whyStringIsUse, whyTestIsUse } from './mentions.ts';
import {
  type ChosenPlaces,
  chosenPlaces,
  linesOfPlaces,
  type NewPlace,
  numberPlaces,
  otherPlaces,
  type RecordedPlace,
  recordPlaces,
  replacePlace,
} from './open-places.ts';
import { type PlannedRename, planRename } from './rename.ts';

/** Arguments of one or several renames that are made together. */
export interface RenamesRequest extends RenameCall {
  /** True if another symbol of the same scope may have a new name, and errors are no reason to refuse. */
  readonly mayCollide: boolean;
  /** Ids of open places and mentions that an earlier call for the same renames returned, to be renamed too. */
  readonly also: readonly number[];
}

/**
 * Renames symbols and all references to them in one transaction; see {@link planRename}. With ids that an earlier call
 * returned, renames these places too; if that call made the renames already, only these places.
 *
 * @throws {ExpectedError} errors of {@link planRename}, {@link chosenPlaces} and {@link Edits.commit}. After an error
 *   nothing has changed.
 */
export async function renameSymbols(scope: EditScope, edits: Edits, request: RenamesRequest): Promise<FinishedEdit> {
  const asked = request.renames.map(({ namePath, file, newName }) => ({ namePath, file, change: newName }));
  const { also } = request;
  const chosen = also.length > 0 ? chosenPlaces(scope, { tool: 'rename_symbol', edits: asked, also }) : undefined;
  if (chosen?.when === 'after') return await renameChosen(scope, edits, chosen);
  const planned: PlannedRename[] = [];
  for (const [index, { namePath, file, newName }] of request.renames.entries()) {
    const own = inCode(scope, chosen?.places ?? []).filter(({ edit }) => edit === index);
    const places = own.map(({ before }) => before);
    const { mayCollide } = request;
    planned.push(await planRename(scope, edits, { namePath, relativePath: file, newName, mayCollide, chosen: places }));
  }
  replaceChosen(scope, edits, chosen);
  const [first] = planned;
  if (first === undefined || edits.changes.length === 0) throw nothingChanged(planned);
  const notes: string[] = [];
  const inNames = planned.flatMap((one, edit) => {
    const { name, newName: newText } = one;
    return one.open.filter((place) => !isPlanned(edits, place)).map((place) => ({ ...place, edit, name, newText }));
  });
  const { strings, mentions } = await mentionsOf(scope, edits, { planned, notes });
  const open = [...inNames, ...strings];
  notes.push(...planned.flatMap(({ symbol }) => takenName(scope, symbol)), ...longLinesNote(scope, edits));
  const finished = finish(scope, edits, { planned, open: open.sort(comparePlaces), mentions, chosen });
  await commitWatched(scope, edits, first.symbol.file);
  return { ...finished, notes: [...finished.notes, ...notes] };
}

/** True if a place is changed, for example by another rename, or its file is removed. */
function isPlanned(edits: Edits, { file, range }: Place): boolean {
  if (edits.pathAfter(file) === undefined) return true;
  const draft = edits.planned(file)?.draft;
  const span = draft && spanOf(draft.lines, range);
  return span !== undefined && draft?.isEdited(span.start, span.end) === true;
}

/** Returns the chosen places in files of language servers: a rename treats them as it treats references. */
function inCode({ files }: EditScope, places: readonly RecordedPlace[]): RecordedPlace[] {
  return places.filter(({ before: { file } }) => files.sources.serverOf(file) !== undefined);
}

/** Plans to rename the chosen places in other files, such as documents. */
function replaceChosen(scope: EditScope, edits: Edits, chosen: ChosenPlaces | undefined): void {
  if (chosen === undefined) return;
  const code = inCode(scope, chosen.places);
  for (const place of chosen.places) if (!code.includes(place)) replacePlace(edits, chosen, place);
}

async function mentionsOf(
  scope: EditScope,
  edits: Edits,
  { planned, notes }: { planned: readonly PlannedRename[]; notes: string[] },
): Promise<{ strings: OpenRename[]; mentions: NewPlace[] }> {
  const strings: OpenRename[] = [];
  const mentions: NewPlace[] = [];
  for (const [edit, one] of planned.entries()) {
    const isNew = ({ file, range }: Place) => !one.open.some((other) => comparePlaces(other, { file, range }) === 0);
    const found = await findMentions(scope, edits, { ...one, inStrings: false }, notes);
    const about = { edit, name: one.name, newText: one.newName };
    strings.push(...found.uses.filter(isNew).map((place) => ({ ...place, ...about, reason: whyStringIsUse })));
    strings.push(...found.tests.filter(isNew).map((place) => ({ ...place, ...about, reason: whyTestIsUse })));
    const prose = one.prose.filter((place) => isNew(place) && !isPlanned(edits, place));
    mentions.push(
      ...distinctPlaces([...prose, ...found.mentions.filter(isNew)]).map((place) => ({ ...place, ...about })),
    );
  }
  return { strings, mentions };
}

/** A place that a rename leaves open, with the reason. */
type OpenRename = NewPlace & { readonly reason: string };

interface RenameParts {
  readonly planned: readonly PlannedRename[];
  readonly open: readonly OpenRename[];
  readonly mentions: readonly NewPlace[];
  readonly chosen: ChosenPlaces | undefined;
}

/** Returns the result of planned renames, and keeps the ids of the places that they leave open. */
function finish(scope: EditScope, edits: Edits, { planned, open, mentions, chosen }: RenameParts): FinishedEdit {
  const edited = planned.map(({ symbol, newName }) => {
    const before = namePathOf(symbol);
    return { before, after: before.replace(/[^/]*$/, () => newName), change: newName, file: symbol.file };
  });
  const places = chosen ? otherPlaces(edits, chosen) : numberPlaces(scope, edits, [...open, ...mentions]);
  recordPlaces(scope, edits, { edited, places });
  const shown = chosen === undefined ? linesOfPlaces(scope, edits, places) : [];
  const done = edited.map(({ before, change }) => `\`${before}\` to \`${change}\``).join(', ');
  return {
    done: `Renamed ${done}`,
    places: edits.places,
    also: planned.flatMap(({ also }) => also),
    open: shown.slice(0, open.length).map((line, index) => ({ ...line, why: open[index]?.reason ?? '' })),
    mentions: shown.slice(open.length),
    next: {
      // A dry run leaves the old name.
      renames: edited.map(({ before, after, file, change }) => {
        return { namePath: edits.isCollecting ? before : after, file, newName: change };
      }),
    },
    notes: [],
  };
}

/** Renames the chosen places of renames that were made before. */
async function renameChosen(scope: EditScope, edits: Edits, chosen: ChosenPlaces): Promise<FinishedEdit> {
  const { record, places } = chosen;
  for (const place of places) replacePlace(edits, chosen, place);
  for (const { name, newText } of places) scope.problems.rename(name, newText);
  scope.problems.watchUsers(record.edits.map(({ file }) => file));
  recordPlaces(scope, edits, { edited: record.edits, places: otherPlaces(edits, chosen) });
  const names = new Set(places.map(({ name, newText }) => `\`${name}\` to \`${newText}\``));
  const [first] = places;
  const finished = {
    done: `Renamed ${[...names].join(', ')} where chosen`,
    places: edits.places,
    ...{ also: [], open: [], mentions: [], notes: [] },
  };
  await commitWatched(scope, edits, first?.after.file ?? '');
  return finished;
}

function nothingChanged(planned: readonly PlannedRename[]): ExpectedError {
  const named = planned.map(({ symbol }) => `\`${namePathOf(symbol)}\``).join(', ');
  const servers = [...new Set(planned.map(({ active }) => active.spec.name))].join(', ');
  return new ExpectedError('edit.refused', `${servers} proposed no changes for renaming ${named}`, {
    hints: ['call `find_referencing_symbols` and edit each reference'],
  });
}
