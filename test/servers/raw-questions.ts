import { z } from 'zod';
import { isExpected } from '../../src/base/errors.ts';
import { toUri } from '../../src/base/paths.ts';
import type { RangeEdit } from '../../src/lsp/features/rename.ts';
import type { ServerSpec } from '../../src/servers/spec.ts';
import { requireSupport } from '../../src/symbols/queries/requests.ts';
import { placeAt } from '../../src/text/place.ts';
import { at } from '../support/at.ts';
import type { Opened } from './opened.ts';
import { fileOf, renderByFile, renderRange } from './render.ts';

/** A position in a file, given by its text. */
export interface TextPlace {
  readonly file: string;
  readonly at: RegExp;
}

const Position = z.object({ line: z.number(), character: z.number() });
const Range = z.object({ start: Position, end: Position });
const TextEdits = z.array(z.object({ range: Range, newText: z.string() }));
const WorkspaceEdit = z.object({
  changes: z.record(z.string(), TextEdits).optional(),
  documentChanges: z.array(z.object({ textDocument: z.object({ uri: z.string() }), edits: TextEdits })).optional(),
});

type Renamed = TextPlace & { readonly to: string };

/** Returns every edit by which the server renames the symbol at a position, and whether the tool adds others. */
export async function askRename(opened: Opened, spec: ServerSpec, place: Renamed): Promise<string> {
  if (spec.quirks?.renamesWrongly === true) return 'the server is not asked';
  const edits = await orRefusal(spec, () => editsOf(opened, spec, place));
  return spec.quirks?.renamesIncompletely === true ? `${edits}\n\nthe tool also changes the other references` : edits;
}

async function editsOf(opened: Opened, spec: ServerSpec, place: Renamed): Promise<string> {
  const rename = spec.quirks?.rename;
  if (rename !== undefined) {
    const request = { ...placeAt(place.file, at(opened.workspace.read(place.file), place.at)), newName: place.to };
    return await opened.server(place.file, async (server) => {
      const steps = await rename(server, request, {});
      const edits = steps.flatMap((step) =>
        step.do === 'edit' ? [[server.files.uriOf(step.file), step.edits] as const] : [],
      );
      return renderEdits(opened, edits);
    });
  }
  const answer = WorkspaceEdit.parse(await askAt(opened, 'textDocument/rename', place, { newName: place.to }));
  const edits = [
    ...Object.entries(answer.changes ?? {}),
    ...(answer.documentChanges ?? []).map(({ textDocument, edits }) => [textDocument.uri, edits] as const),
  ];
  return renderEdits(opened, edits);
}

function renderEdits(opened: Opened, edits: readonly (readonly [uri: string, list: readonly RangeEdit[]])[]): string {
  return renderByFile(
    edits.flatMap(([uri, list]) =>
      list.map(({ range, newText }) => {
        const file = fileOf(opened.workspace, uri);
        return { file, range, line: `${renderRange(range)} -> ${newText}` };
      }),
    ),
  );
}

async function askAt(opened: Opened, method: string, place: TextPlace, more: object = {}): Promise<unknown> {
  const position = at(opened.workspace.read(place.file), place.at);
  return opened.server(place.file, (server, path) => {
    requireSupport(server, method, []);
    return server.request(method, { textDocument: { uri: toUri(path) }, position, ...more }, { timeoutMs: 60_000 });
  });
}

/** Returns the result of `ask`, or the error message of the server's refusal. */
export async function orRefusal(spec: ServerSpec, ask: () => Promise<string>): Promise<string> {
  try {
    return await ask();
  } catch (error) {
    if (!isExpected(error, 'server.refused')) throw error;
    // Without the version, which changes more often than the refusal.
    return `server.refused: ${error.message.replace(new RegExp(`^${spec.name} \\S+`), spec.name)}`;
  }
}
