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
import type { RenameCall } from './finished-edit.ts';
import { linesNote } from './left-over.ts';

/**
 * The places that a rename leaves open have ids, so that a second call can rename the chosen ones. The ids are kept with
 * the hashes of the files, before the rename and after it: they are valid while a place's file has one of these contents,
 * whether the rename was made, only planned, or undone.
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
  /** Index of the rename in the call. */
  rename: z.int(),
  /** Name at the place. */
  name: z.string(),
  before: stateSchema,
  after: stateSchema,
});
const recordSchema = z.object({
  renames: z.array(
    z.object({
      /** Name paths before and after the rename. */
      before: z.string(),
      after: z.string(),
      newName: z.string(),
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

/** Records of the latest renames with open places, newest first. */
const maxRecords = 20;
const maxBytes = 8 * 1024 * 1024;

/** The open places of a rename that were chosen by their ids. */
export interface ChosenPlaces {
  /** `after` if the rename itself was made already. */
  readonly when: When;
  /** Sorted by id. */
  readonly places: readonly RecordedPlace[];
  /** Number of the open places and mentions that were not chosen. */
  readonly others: number;
  readonly record: OpenRecord;
}

/**
 * Returns the places that an earlier call for the same renames listed with these ids.
 *
 * @throws {ExpectedError} `tool.invalid-input` for ids that no call returned; `edit.conflict` if files have changed since.
 */
export function chosenPlaces(scope: SymbolScope, call: RenameCall & { also: readonly number[] }): ChosenPlaces {
  const ids = [...new Set(call.also)];
  const records = readRecords(scope).filter((one) => isOf(one, call));
  const known = records.filter(({ places }) => ids.every((id) => places.some((place) => place.id === id)));
  for (const record of known) {
    const places = record.places.filter(({ id }) => ids.includes(id));
    const when = stateOf(scope, record, places);
    if (when !== undefined) return { when, places, others: record.places.length - places.length, record };
  }
  const [latest] = known;
  throw latest === undefined ? unknownIds(ids, records[0]) : changedFiles(latest, ids);
}

function unknownIds(ids: readonly number[], record: OpenRecord | undefined): ExpectedError {
  const unknown = ids.filter((id) => record?.places.some((place) => place.id === id) !== true);
  return new ExpectedError('tool.invalid-input', `no rename of this symbol returned the id ${unknown.join(', ')}`, {
    hints: ['call `rename_symbol` without `also`, for example with `dry_run`, and pass ids of its answer'],
  });
}

function changedFiles({ places }: OpenRecord, ids: readonly number[]): ExpectedError {
  const chosen = places.filter(({ id }) => ids.includes(id));
  const lines = linesNote(chosen.map(({ after: { file, range } }) => ({ file, line: range.start.line })));
  return new ExpectedError(
    'edit.conflict',
    `files changed since the places got their ids, so these lines may be other ones: ${lines}`,
    {
      hints: [
        'if the symbol still has its old name, call `rename_symbol` with `dry_run` and without `also` for new ids',
        'otherwise read these lines, and edit them with `replace_content`',
      ],
    },
  );
}

function isOf({ renames }: OpenRecord, call: RenameCall): boolean {
  if (renames.length !== call.renames.length) return false;
  return renames.every(({ before, after, newName, file }, index) => {
    const asked = call.renames[index];
    const isIn = asked?.file === '' || asked?.file === file || file.startsWith(`${asked?.file.replace(/\/$/, '')}/`);
    const path = asked?.namePath.replace(/^\//, '') ?? '';
    const isNamed = [before, after].some((full) => full === path || full.endsWith(`/${path}`));
    return isIn && isNamed && asked?.newName === newName;
  });
}

/** Returns whether files are as they were before the rename or after it; `undefined` if they have other contents. */
function stateOf(scope: SymbolScope, { renames }: OpenRecord, places: readonly RecordedPlace[]): When | undefined {
  const now = hashesNow(scope);
  return (['after', 'before'] as const).find((when) => {
    const areRenamed = renames.every(({ file, hashes }) => now(file) === hashes[when]);
    return areRenamed && places.every((place) => now(place[when].file) === place[when].hash);
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

/** A renamed symbol, for the record. */
export interface RecordedRename {
  readonly before: string;
  readonly after: string;
  readonly newName: string;
  readonly file: string;
  /** Of a rename that was made by an earlier call. */
  readonly hashes?: { readonly before: string };
}

/** A place that a rename leaves open. */
export interface NewPlace extends Place {
  /** Index of the rename in the call. */
  readonly rename: number;
  /** Name at the place. */
  readonly name: string;
}

/** Returns places with ids from 1 and with where they are after the planned edits. */
export function numberPlaces(scope: SymbolScope, edits: Edits, places: readonly NewPlace[]): RecordedPlace[] {
  const move = moveIn(edits);
  const now = hashesNow(scope);
  return places.map(({ file, range, rename, name }, index) => {
    const before = { file, hash: now(file) ?? '', range };
    return { id: index + 1, rename, name, before, after: move(before) };
  });
}

/** Returns the places of a record that were not chosen, with where they are after the planned edits. */
export function otherPlaces(edits: Edits, { when, places, record }: ChosenPlaces): RecordedPlace[] {
  const move = moveIn(edits);
  return record.places
    .filter((place) => !places.includes(place))
    .map((place) => ({ ...place, after: move(place[when]) }));
}

/** Returns a function that returns where a place of the present files is after the planned edits. */
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

/** Returns the line of a place after the planned edits, without the white space around it. */
export function lineAfter(scope: SymbolScope, edits: Edits, { before, after }: RecordedPlace): string {
  const draft = edits.planned(before.file)?.draft;
  const lines = draft === undefined ? readable(scope, before.file) : draft.editedLines;
  return lines === undefined ? '' : shownLine(lines, after.range.start.line);
}

/** Keeps the ids of a rename's places. `edits` are those that make the rename. */
export function recordPlaces(
  scope: SymbolScope,
  edits: Edits,
  { renames, places }: { renames: readonly RecordedRename[]; places: readonly RecordedPlace[] },
): void {
  if (places.length === 0) return;
  const after = hashesAfter(edits);
  const now = hashesNow(scope);
  const record: OpenRecord = {
    renames: renames.map((one) => {
      const hash = now(one.file) ?? '';
      return { ...one, hashes: { before: one.hashes?.before ?? hash, after: after.get(one.file) ?? hash } };
    }),
    places: [...places],
  };
  writeRecords(scope, [record, ...readRecords(scope)].slice(0, maxRecords));
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
    log('symbols').warn(`cannot read the open places of renames: ${messageOf(error)}`);
    return [];
  }
}

/** Writes the records. Without them a rename is complete in itself, so that a failure is only logged. */
function writeRecords(scope: SymbolScope, records: readonly OpenRecord[]): void {
  let kept = records;
  while (kept.length > 1 && JSON.stringify(kept).length > maxBytes) kept = kept.slice(0, -1);
  try {
    makePrivateDirectory(scope.files.project.state.cache);
    writeTextAtomically(pathOf(scope), JSON.stringify(kept));
  } catch (error) {
    log('symbols').warn(`cannot keep the open places of a rename: ${messageOf(error)}`);
  }
}
