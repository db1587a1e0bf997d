import { resolve } from 'node:path';
import type { Call } from '../base/call.ts';
import { toUri } from '../base/paths.ts';
import type { RecordedAnswer } from '../session/activity.ts';
import type { OpenContext, Session } from '../session/session.ts';
import type { Place, Range } from '../text/place.ts';
import type { Client } from './client.ts';
import type { ClientDocuments } from './documents.ts';
import type { LocatedFile, Workspace } from './workspace.ts';

/** Parts of a connection that its answers need. */
export interface Questions {
  readonly session: Session;
  readonly client: Client;
  readonly workspace: Workspace;
  readonly documents: ClientDocuments;
}

/** A question about a project, with the documents that the client has changed and not saved. */
export interface Asked extends OpenContext {
  /** Texts by project-relative path. */
  readonly unsaved: ReadonlyMap<string, string>;
}

/** Runs a question about the project at `root`; shows the client what the answer does not cover. */
export async function ask<T>(
  { session, client, documents }: Questions,
  { root, name, sent }: { readonly root: string; readonly name: string; readonly sent?: unknown },
  call: Call,
  work: (asked: Asked) => Promise<T>,
): Promise<T> {
  const question = sent === undefined ? { name } : { name, sent };
  const { value, gaps } = await session.inProject(root, question, call, async (context) => {
    const unsaved = documents.unsaved(root, (file) => context.open.files.textOf(file));
    const own = await work({ ...context, unsaved });
    return { ...recorded(own), gaps: context.symbols.gaps, value: own };
  });
  client.showGaps(gaps);
  return value;
}

/** Returns the text that the record of calls shows of an answer. */
function recorded(value: unknown): Pick<RecordedAnswer, 'text'> {
  return { text: Array.isArray(value) ? `${value.length} results` : (JSON.stringify(value) ?? 'nothing') };
}

/** A place as LSP writes it. */
interface Location {
  readonly uri: string;
  readonly range: Range;
}

/** Returns the URI of a file, as the client writes it if it has the file open. */
export function uriOf({ documents }: Questions, located: LocatedFile): string {
  return documents.at(located)?.uri ?? toUri(resolve(located.root, located.file));
}

/** Returns the locations of places in the project at `root`. */
export function locationsOf(questions: Questions, root: string, places: readonly Place[]): Location[] {
  return places.map(({ file, range }) => ({ uri: uriOf(questions, { root, file }), range }));
}
