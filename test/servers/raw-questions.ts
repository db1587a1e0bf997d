import { z } from 'zod';
import { within } from '../../src/base/deadline.ts';
import { isExpected } from '../../src/base/errors.ts';
import { toUri } from '../../src/base/paths.ts';
import { resolveServer } from '../../src/servers/resolve.ts';
import { claimedSuffix, type ServerSpec } from '../../src/servers/spec.ts';
import { at } from '../support/at.ts';
import { RawLsp } from '../support/raw-lsp.ts';
import type { Workspace } from '../support/workspace.ts';
import { type Opened, patientCall, serverPlace } from './opened.ts';
import { fileOf, renderByFile, renderRange } from './render.ts';

/** Ours answer within a second or two; a busy machine takes its time. */
const publishTimeoutMs = 60_000;

/** A place in a file, found by its text. */
export interface TextPlace {
  readonly file: string;
  readonly at: RegExp;
}

const Position = z.object({ line: z.number(), character: z.number() });
const Range = z.object({ start: Position, end: Position });
const Location = z.object({ uri: z.string(), range: Range });
const LocationLink = z
  .object({ targetUri: z.string(), targetSelectionRange: Range })
  .transform(({ targetUri, targetSelectionRange }) => ({ uri: targetUri, range: targetSelectionRange }));
const Locations = z.union([
  z.array(z.union([Location, LocationLink])),
  Location.transform((one) => [one]),
  z.null().transform(() => []),
]);

const TextEdits = z.array(z.object({ range: Range, newText: z.string() }));
const WorkspaceEdit = z.object({
  changes: z.record(z.string(), TextEdits).optional(),
  documentChanges: z.array(z.object({ textDocument: z.object({ uri: z.string() }), edits: TextEdits })).optional(),
});

const Published = z.object({
  uri: z.string(),
  diagnostics: z.array(
    z.object({
      range: Range,
      message: z.string(),
      severity: z.number().optional(),
      code: z.union([z.string(), z.number()]).optional(),
      source: z.string().optional(),
    }),
  ),
});

/** Returns where the symbol at a place is implemented, or the words in which the server refuses to say. */
export async function askImplementation(opened: Opened, spec: ServerSpec, place: TextPlace): Promise<string> {
  return orRefusal(spec, async () => {
    const answer = await askAt(opened, 'textDocument/implementation', place);
    return renderByFile(
      Locations.parse(answer).map(({ uri, range }) => {
        const file = fileOf(opened.workspace, uri);
        const text = opened.workspace.read(file).split('\n')[range.start.line] ?? '';
        return { file, range, line: `${renderRange(range)} | ${text.trim()}` };
      }),
    );
  });
}

/** Returns every edit that renames the symbol at a place. */
export async function askRename(opened: Opened, spec: ServerSpec, place: TextPlace & { to: string }): Promise<string> {
  return orRefusal(spec, async () => {
    const answer = WorkspaceEdit.parse(await askAt(opened, 'textDocument/rename', place, { newName: place.to }));
    const edits = [
      ...Object.entries(answer.changes ?? {}),
      ...(answer.documentChanges ?? []).map(({ textDocument, edits }) => [textDocument.uri, edits] as const),
    ];
    return renderByFile(
      edits.flatMap(([uri, list]) =>
        list.map(({ range, newText }) => {
          const file = fileOf(opened.workspace, uri);
          return { file, range, line: `${renderRange(range)} -> ${newText}` };
        }),
      ),
    );
  });
}

async function askAt(opened: Opened, method: string, place: TextPlace, more: object = {}): Promise<unknown> {
  const position = at(opened.workspace.read(place.file), place.at);
  return opened.server(place.file, (server, path) =>
    server.request(method, { textDocument: { uri: toUri(path) }, position, ...more }, { timeoutMs: 60_000 }),
  );
}

async function orRefusal(spec: ServerSpec, ask: () => Promise<string>): Promise<string> {
  try {
    return await ask();
  } catch (error) {
    if (!isExpected(error, 'server.refused')) throw error;
    // Versions change; what a server cannot do seldom does.
    return `server.refused: ${error.message.replace(new RegExp(`^${spec.name} \\S+`), spec.name)}`;
  }
}

/** A file without a fault and one with; `isSilent` where the server finds no fault in that either. */
export interface DiagnosedFiles {
  readonly clean: string;
  readonly broken: string;
  readonly isSilent?: boolean;
}

/**
 * Returns what the server publishes about two files once it has found an error in the broken one, a line each.
 *
 * None of our servers answers a request for diagnostics: all publish them, which our layer does not listen to yet. So
 * the same program is asked by the raw hand.
 */
export async function askDiagnostics(spec: ServerSpec, workspace: Workspace, files: DiagnosedFiles): Promise<string> {
  const { command, folder } = await resolveServer(spec, {}, { place: serverPlace('raw'), call: patientCall() });
  const options: unknown = JSON.parse(
    JSON.stringify(spec.initializationOptions ?? {}).replaceAll('{folder}', folder ?? ''),
  );
  const lsp = new RawLsp({
    ...{ command: command.command, args: command.args, cwd: command.cwd, root: workspace.root },
    env: Object.fromEntries(Object.entries(command.env).map(([name, value]) => [name, value ?? ''])),
    initializationOptions: options,
    settings: spec.settings,
  });
  try {
    return await listenForDiagnostics(lsp, { spec, workspace, files });
  } finally {
    await lsp.stop();
  }
}

async function listenForDiagnostics(
  lsp: RawLsp,
  about: { spec: ServerSpec; workspace: Workspace; files: DiagnosedFiles },
): Promise<string> {
  const { spec, workspace, files } = about;
  const { clean, broken, isSilent = false } = files;
  const latest = new Map<string, z.infer<typeof Published>['diagnostics']>();
  const complete = lsp.next('textDocument/publishDiagnostics', (params) => {
    const { uri, diagnostics } = Published.parse(params);
    latest.set(fileOf(workspace, uri), diagnostics);
    return fileOf(workspace, uri) === broken && (isSilent || diagnostics.some(({ severity }) => severity === 1));
  });
  await lsp.initialize();
  for (const file of [clean, broken]) {
    await lsp.open(workspace.path(file), spec.files[claimedSuffix(spec, file) ?? ''] ?? '');
  }
  const onTimeout = () => new Error(`${spec.name} published nothing about ${broken}\n${lsp.stderr}`);
  await within(complete, { timeoutMs: publishTimeoutMs, onTimeout });
  return [clean, broken]
    .map((file) => {
      const lines = (latest.get(file) ?? []).map(
        ({ range, severity, code, source, message }) =>
          `  ${renderRange(range)} severity ${severity} ${source} ${code}: ${message.replaceAll('\n', ' ')}`,
      );
      return [file, ...(lines.length === 0 ? ['  (clean)'] : lines)].join('\n');
    })
    .join('\n');
}
