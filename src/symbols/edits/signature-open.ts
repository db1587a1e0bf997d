import type { Edits } from '../../edits/edits.ts';
import { comparePlaces, type Place } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace, type SymbolNode } from '../model/symbol.ts';
import { type Span, spanOf } from '../model/text-range.ts';
import { commitWatched, type EditScope } from './edit-problems.ts';
import { identifierOf } from './edited-symbol.ts';
import type { FinishedEdit } from './finished-edit.ts';
import {
  type ChosenPlaces,
  chosenPlaces,
  linesOfPlaces,
  type NewPlace,
  numberPlaces,
  otherPlaces,
  placeMover,
  recordPlaces,
  replacePlace,
} from './open-places.ts';
import type { RequestedChange } from './signature-change.ts';
import { planCall, SignatureEdits } from './signature-edits.ts';
import type { OpenSite, SignaturePlan, SignatureTask } from './signature-plan.ts';

interface Asked {
  readonly namePath: string;
  readonly relativePath: string;
  readonly changes: readonly RequestedChange[];
  readonly also: readonly number[];
}

/**
 * Returns the open calls that the caller has chosen by their ids; `undefined` if there are none.
 *
 * @throws {ExpectedError} errors of {@link chosenPlaces}.
 */
export function chosenCalls(
  scope: SymbolScope,
  { namePath, relativePath: file, changes, also }: Asked,
): ChosenPlaces | undefined {
  if (also.length === 0) return undefined;
  const edits = [{ namePath, file, change: JSON.stringify(changes) }];
  return chosenPlaces(scope, { tool: 'change_signature', edits, also });
}

/** Changes the chosen calls of a function whose signature was changed before. */
export async function changeChosen(scope: EditScope, edits: Edits, chosen: ChosenPlaces): Promise<FinishedEdit> {
  const { record, places } = chosen;
  for (const place of places) replacePlace(edits, chosen, place);
  scope.problems.watchUsers(record.edits.map(({ file }) => file));
  recordPlaces(scope, edits, { edited: record.edits, places: otherPlaces(edits, chosen) });
  const finished = {
    done: `Changed calls of \`${record.edits[0]?.after}\` where chosen`,
    places: edits.places,
    ...{ also: [], open: [], mentions: [], notes: [] },
  };
  await commitWatched(scope, edits, places[0]?.after.file ?? '');
  return finished;
}

interface OpenParts {
  readonly task: SignatureTask;
  readonly plan: SignaturePlan;
  readonly request: Asked;
  readonly chosen: ChosenPlaces | undefined;
  /** Declarations that change together with the target. */
  readonly also: readonly SymbolNode[];
}

/**
 * Returns what a planned change leaves open, and keeps the ids of the calls that a further call can change: those that say
 * what would become of them. Nothing must be written yet.
 */
export function openCalls(
  scope: SymbolScope,
  edits: Edits,
  { task, plan, request: { changes }, chosen, also }: OpenParts,
): Pick<FinishedEdit, 'open' | 'also' | 'next'> {
  const { symbol } = task.target;
  const name = identifierOf(task.target);
  const namePath = namePathOf(symbol);
  const sorted = plan.open.toSorted((a, b) => comparePlaces(a.place, b.place));
  const isFree = freeOf(edits);
  const candidates = chosen === undefined ? sorted.flatMap((one) => newPlaceOf(one, name) ?? []) : [];
  const numbered = numberPlaces(scope, edits, candidates.filter(isFree));
  const places = chosen === undefined ? numbered : otherPlaces(edits, chosen);
  const edited = [{ before: namePath, after: namePath, change: JSON.stringify(changes), file: symbol.file }];
  recordPlaces(scope, edits, { edited, places });
  const move = placeMover(scope, edits);
  const isAt = (place: Place) => (one: (typeof places)[number]) =>
    one.before.file === place.file && comparePlaces({ ...place, range: one.before.range }, place) === 0;
  const left = chosen === undefined ? sorted : sorted.filter(({ call }) => call === undefined);
  const rows = left.map(({ place }) => numbered.find(isAt(place)) ?? move(place));
  const lines = linesOfPlaces(scope, edits, rows);
  return {
    open: lines.map((line, index) => ({ ...line, why: left[index]?.why ?? '' })),
    also: also.map((one) => {
      const { file, range } = move(namePlace(one)).after;
      const reason = one.name === symbol.name ? `override or implement the same \`${symbol.name}\`` : 'must agree';
      return { name: namePathOf(one), file, line: range.start.line, reason };
    }),
    next: { namePath, file: symbol.file, changes },
  };
}

/** Returns an open call, from its name to its last argument, with its new text; `undefined` if it shows none. */
function newPlaceOf({ call }: OpenSite, name: string): NewPlace | undefined {
  if (call === undefined) return undefined;
  const { place, draft, site } = call.one;
  const start = spanOf(draft.lines, place.range)?.start;
  if (start === undefined || start > site.list.start) return undefined;
  const alone = new SignatureEdits();
  planCall(alone, call.one, call.changed);
  const [edit] = alone.files.flatMap(({ nested }) => nested.outermost());
  if (edit === undefined) return undefined;
  const { text, lines } = draft;
  const end = site.list.end;
  const newText = text.slice(start, edit.start) + edit.text + text.slice(edit.end, end);
  const range = { start: place.range.start, end: positionAt(text, lines.starts, end) };
  return { file: place.file, range, edit: 0, name, newText };
}

/** Returns a predicate for places that overlap neither planned edits nor one another. */
function freeOf(edits: Edits): (place: NewPlace) => boolean {
  const taken: (Span & { readonly file: string })[] = [];
  return ({ file, range }) => {
    const draft = edits.open(file);
    const span = spanOf(draft.lines, range);
    if (span === undefined || draft.isEdited(span.start, span.end)) return false;
    if (taken.some((one) => one.file === file && one.start < span.end && span.start < one.end)) return false;
    taken.push({ ...span, file });
    return true;
  };
}
