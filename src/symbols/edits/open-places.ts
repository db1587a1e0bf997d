import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { writeTextAtomically } from '../../base/files.ts';
import { log } from '../../base/log.ts';
import { makePrivateDirectory } from '../../base/private-directory.ts';
import { hashOf } from '../../edits/content-hash.ts';
import type { Edits } from '../../edits/edits.ts';
import { readBytes } from '../../search/source-text.ts';
import type { Place } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import { shownLine } from '../../text/text-lines.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import { spanOf } from '../model/text-range.ts';
import type { NamedLine } from './finished-edit.ts';
import { linesNote } from './left-over.ts';

/**
 * The places that an edit leaves open have ids, so that a second call can change the chosen ones. The ids are kept with
 * the hashes of the files, before the edit and after it: they are valid while a place's file has one of these contents,
 * whether the edit was made, only planned, or undone.
 */

const position = z.object({ line: z.int(), character: z.int() });
/** A place in one of the two states of its file. */
const stateSchema = z.object({
  file: z.string(),
  hash: z.string(),
  range: z.object({ start: position, end: position }),
});
const placeSchema = z.object({
  id: z.int(),
  /** Index of the changed symbol in the call. */
  edit: z.int(),
  name: z.string(),
  newText: z.string(),
  before: stateSchema,
  after: stateSchema,
});
const recordSchema = z.object({
  edits: z.array(
    z.object({
      /** Name paths before and after the edit. */
      before: z.string(),
      after: z.string(),
      /** What was changed: the new name, or the changes of the signature as JSON. */
      change: z.string(),
      /** The declaring file, and its hashes. */
      file: z.string(),
      hashes: z.object({ before: z.string(), after: z.string() }),
    }),
  ),
  places: z.array(placeSchema),
});
const recordsSchema = z.array(recordSchema);

type OpenRecord = z.infer<typeof recordSchema>;
export type RecordedPlace = z.infer<typeof placeSchema>;
type State = z.infer<typeof stateSchema>;
type When = 'before' | 'after';

/** Records of the latest edits with open places, newest first. */
const maxRecords = 20;
const maxBytes = 8 * 1024 * 1024;

export interface OpenCall {
  readonly tool: 'rename_symbol' | 'change_signature';
  readonly edits: readonly { readonly namePath: string; readonly file: string; readonly change: string }[];
  readonly also: readonly number[];
}

export interface ChosenPlaces {
  /** `after` if the edit itself was made already. */
  readonly when: When;
  /** Sorted by id. */
  readonly places: readonly RecordedPlace[];
  readonly record: OpenRecord;
}

/**
 * Returns the places that an earlier call for the same changes listed with these ids.
 *
 * @throws {ExpectedError} `tool.invalid-input` for ids that no call returned; `edit.conflict` if files have changed since.
 */
export function chosenPlaces(scope: SymbolScope, call: OpenCall): ChosenPlaces {
  const ids = [...new Set(call.also)];
  const records = readRecords(scope).filter((one) => isOf(one, call));
  const known = records.filter(({ places }) => ids.every((id) => places.some((place) => place.id === id)));
  for (const record of known) {
    const places = record.places.filter(({ id }) => ids.includes(id));
    const when = stateOf(scope, record, places);
    if (when !== undefined) return { when, places, record };
  }
  const [latest] = known;
  throw latest === undefined ? unknownIds(call, records[0]) : changedFiles(call, latest);
}

function unknownIds({ tool, also }: OpenCall, record: OpenRecord | undefined): ExpectedError {
  const unknown = also.filter((id) => record?.places.some((place) => place.id === id) !== true);
  const what = tool === 'rename_symbol' ? 'rename' : 'such change';
  return new ExpectedError('tool.invalid-input', `no ${what} of this symbol returned the id ${unknown.join(', ')}`, {
    hints: [`call \`${tool}\` without \`also\`, for example with \`dry_run\`, and pass ids of its answer`],
  });
}

function changedFiles({ tool, also }: OpenCall, { places }: OpenRecord): ExpectedError {
  const chosen = places.filter(({ id }) => also.includes(id));
  const state = tool === 'rename_symbol' ? 'the symbol still has its old name' : 'the signature is still the old one';
  const lines = linesNote(chosen.map(({ after: { file, range } }) => ({ file, line: range.start.line })));
  return new ExpectedError(
    'edit.conflict',
    `files changed since the places got their ids, so these lines may be other ones: ${lines}`,
    {
      hints: [
        `if ${state}, call \`${tool}\` with \`dry_run\` and without \`also\` for new ids`,
        'otherwise read these lines, and edit them with `replace_content`',
      ],
    },
  );
}

function isOf({ edits }: OpenRecord, call: OpenCall): boolean {
  if (edits.length !== call.edits.length) return false;
  return edits.every(({ before, after, change, file }, index) => {
    const asked = call.edits[index];
    const isIn = asked?.file === '' || asked?.file === file || file.startsWith(`${asked?.file.replace(/\/$/, '')}/`);
    const path = asked?.namePath.replace(/^\//, '') ?? '';
    const isNamed = [before, after].some((full) => full === path || full.endsWith(`/${path}`));
    return isIn && isNamed && asked?.change === change;
  });
}

/** Returns whether files are as they were before the edit or after it; `undefined` if they have other contents. */
function stateOf(scope: SymbolScope, { edits }: OpenRecord, places: readonly RecordedPlace[]): When | undefined {
  const now = hashesNow(scope);
  return (['after', 'before'] as const).find((when) => {
    const areEdited = edits.every(({ file, hashes }) => now(file) === hashes[when]);
    return areEdited && places.every((place) => now(place[when].file) === place[when].hash);
  });
}

/** Returns a function that returns the hash of a present file, which it reads once; `undefined` if it does not exist. */
function hashesNow({ files }: SymbolScope): (file: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (file) => {
    if (!known.has(file)) {
      known.set(file, existsSync(files.absolute(file)) ? hashOf(readBytes(files.project, file)) : undefined);
    }
    return known.get(file);
  };
}

/** A changed symbol, for the record. */
export interface RecordedEdit {
  readonly before: string;
  readonly after: string;
  readonly change: string;
  readonly file: string;
  /** Of an edit that was made by an earlier call. */
  readonly hashes?: { readonly before: string };
}

/** A place that an edit leaves open, and that a further call can change. */
export interface NewPlace extends Place {
  /** Index of the changed symbol in the call. */
  readonly edit: number;
  readonly name: string;
  readonly newText: string;
}

/** A place in the two states of its file. */
export type MovedPlace = Pick<RecordedPlace, 'before' | 'after'> & { readonly id?: number };

/** Returns places with ids from 1 and with where they are after the planned edits. */
export function numberPlaces(scope: SymbolScope, edits: Edits, places: readonly NewPlace[]): RecordedPlace[] {
  const move = placeMover(scope, edits);
  return places.map(({ edit, name, newText, ...place }, index) => ({
    ...{ id: index + 1, edit, name, newText },
    ...move(place),
  }));
}

/** Returns a function that returns where a place of the present files is after the planned edits. */
export function placeMover(scope: SymbolScope, edits: Edits): (place: Place) => MovedPlace {
  const move = moveIn(edits);
  const now = hashesNow(scope);
  return ({ file, range }) => {
    const before = { file, hash: now(file) ?? '', range };
    return { before, after: move(before) };
  };
}

/** Returns the places of a record that were not chosen, with where they are after the planned edits. */
export function otherPlaces(edits: Edits, { when, places, record }: ChosenPlaces): RecordedPlace[] {
  const move = moveIn(edits);
  return record.places
    .filter((place) => !places.includes(place))
    .map((place) => ({ ...place, after: move(place[when]) }));
}

function moveIn(edits: Edits): (state: State) => State {
  const hashes = hashesAfter(edits);
  return (state) => {
    const { draft, to } = edits.planned(state.file) ?? {};
    const span = draft && spanOf(draft.lines, state.range);
    if (draft === undefined || to === undefined || span === undefined) return state;
    const now = draft.editedLines;
    const offset = draft.offsetAfter(span.start);
    const start = positionAt(now.text, now.starts, offset);
    const end = positionAt(now.text, now.starts, offset + span.end - span.start);
    return { file: to, hash: hashes.get(to) ?? state.hash, range: { start, end } };
  };
}

/** Returns the hashes of the planned contents, by new path. */
function hashesAfter(edits: Edits): ReadonlyMap<string, string> {
  return new Map(edits.changes.flatMap(({ path, after }) => (after === undefined ? [] : [[path, hashOf(after)]])));
}

/** Returns the lines of places after the planned edits, with the column where a line has several of them. */
export function linesOfPlaces(scope: SymbolScope, edits: Edits, places: readonly MovedPlace[]): NamedLine[] {
  const byLine = Map.groupBy(places, ({ after: { file, range } }) => `${file}\0${range.start.line}`);
  return places.map(({ id, before, after }) => {
    const { file, range } = after;
    const { line, character } = range.start;
    const isAlone = byLine.get(`${file}\0${line}`)?.length === 1;
    const text = lineAfter(scope, edits, { before, after });
    return { ...(id === undefined ? {} : { id }), file, line, ...(isAlone ? {} : { column: character }), text };
  });
}

/** Returns the line of a place after the planned edits, without the white space around it. */
function lineAfter(scope: SymbolScope, edits: Edits, { before, after }: MovedPlace): string {
  const draft = edits.planned(before.file)?.draft;
  const lines = draft === undefined ? readable(scope, before.file) : draft.editedLines;
  return lines === undefined ? '' : shownLine(lines, after.range.start.line);
}

/** Keeps the ids of the places that an edit leaves open. `edits` are those that make it. */
export function recordPlaces(
  scope: SymbolScope,
  edits: Edits,
  { edited, places }: { edited: readonly RecordedEdit[]; places: readonly RecordedPlace[] },
): void {
  if (places.length === 0) return;
  const after = hashesAfter(edits);
  const now = hashesNow(scope);
  const record: OpenRecord = {
    edits: edited.map((one) => {
      const hash = now(one.file) ?? '';
      return { ...one, hashes: { before: one.hashes?.before ?? hash, after: after.get(one.file) ?? hash } };
    }),
    places: [...places],
  };
  writeRecords(scope, [record, ...readRecords(scope)].slice(0, maxRecords));
}

export function replacePlace(edits: Edits, { when }: ChosenPlaces, { newText, ...place }: RecordedPlace): void {
  const { file, range } = place[when];
  const draft = edits.open(file);
  const span = spanOf(draft.lines, range);
  if (span !== undefined) draft.replace(span.start, span.end, newText);
}

function pathOf({ files }: SymbolScope): string {
  return join(files.project.state.cache, 'open-places.json');
}

function readRecords(scope: SymbolScope): readonly OpenRecord[] {
  const path = pathOf(scope);
  if (!existsSync(path)) return [];
  try {
    return recordsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    log('symbols').warn(`cannot read the open places of edits: ${messageOf(error)}`);
    return [];
  }
}

/** Writes the records. Without them an edit is complete in itself, so that a failure is only logged. */
function writeRecords(scope: SymbolScope, records: readonly OpenRecord[]): void {
  let kept = records;
  while (kept.length > 1 && JSON.stringify(kept).length > maxBytes) kept = kept.slice(0, -1);
  try {
    makePrivateDirectory(scope.files.project.state.cache);
    writeTextAtomically(pathOf(scope), JSON.stringify(kept));
  } catch (error) {
    log('symbols').warn(`cannot keep the open places of an edit: ${messageOf(error)}`);
  }
}
