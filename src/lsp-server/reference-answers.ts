import type { Call } from '../base/call.ts';
import { namePlace, type SymbolNode } from '../symbols/model/symbol.ts';
import { parsedLanguageOf } from '../symbols/model/syntax-language.ts';
import { distinctPlaces, type Place } from '../text/place.ts';
import { offsetAt, type Position, positionAt } from '../text/position.ts';
import type { TextLines } from '../text/text-lines.ts';
import { type ClientRequest, forwardIn } from './forward.ts';
import { positionParams, referenceParams } from './params.ts';
import { type Asked, ask, locationsOf, type Questions } from './questions.ts';

const everyKind = { include: [], exclude: [] };

/** A question about a position in a document. */
interface PositionQuestion {
  readonly request: ClientRequest;
  readonly root: string;
  readonly file: string;
  readonly uri: string;
  readonly position: Position;
}

/** Returns where the parameters of a request lead to; `undefined` for a document in no project. */
export function positionOf({ workspace }: Questions, request: ClientRequest): PositionQuestion | undefined {
  const { textDocument, position } = positionParams.parse(request.params);
  const located = workspace.locate(textDocument.uri);
  return located && { request, ...located, uri: textDocument.uri, position };
}

/**
 * Answers a request about the symbols that the name at a position means, with `own`; the server of the document answers
 * where the name means something else, such as a local variable, or where documents have unsaved changes.
 */
export async function askAt(
  questions: Questions,
  request: ClientRequest,
  call: Call,
  own: (symbols: readonly SymbolNode[], asked: Asked, question: PositionQuestion) => Promise<unknown>,
): Promise<unknown> {
  const question = positionOf(questions, request);
  if (question === undefined) return null;
  const { root, file, uri, position } = question;
  return await ask(questions, { root, name: request.method, sent: request.params }, call, async (asked) => {
    if (asked.open.sources.serverOf(file) === undefined) return null;
    if (asked.unsaved.size === 0) {
      const meant = await asked.symbols.meantAt(file, position);
      if (meant.length > 0) return await own(meant, asked, question);
    } else questions.client.showOnce(unsavedNote(request.method));
    return await forwardIn(questions, request, { ...asked, uri, file });
  });
}

function unsavedNote(method: string): string {
  const name = method.slice(method.lastIndexOf('/') + 1);
  return `While documents have unsaved changes, the answer to \`${name}\` is not compared with the text: save them for a checked one`;
}

/** Answers `textDocument/references`. */
export async function references(questions: Questions, request: ClientRequest, call: Call): Promise<unknown> {
  const { includeDeclaration } = referenceParams.parse(request.params).context;
  return await askAt(questions, request, call, async (meant, { symbols }, { root }) => {
    const found: Place[] = includeDeclaration ? meant.map(namePlace) : [];
    for (const symbol of meant) found.push(...(await symbols.referencePlaces(symbol)));
    return locationsOf(questions, root, distinctPlaces(found));
  });
}

/** Answers `textDocument/implementation`. */
export async function implementations(questions: Questions, request: ClientRequest, call: Call): Promise<unknown> {
  return await askAt(questions, request, call, async (meant, { symbols }, { root }) => {
    const found: Place[] = [];
    for (const symbol of meant) found.push(...(await symbols.implementations(symbol, everyKind)).map(namePlace));
    return locationsOf(questions, root, distinctPlaces(found));
  });
}

/**
 * Answers `textDocument/definition`: the server's answer, or while it is not ready the only symbol with the name at the
 * position, from syntax trees.
 */
export async function definition(questions: Questions, request: ClientRequest, call: Call): Promise<unknown> {
  const question = positionOf(questions, request);
  if (question === undefined) return null;
  const { root, file, uri } = question;
  return await ask(questions, { root, name: request.method }, call, async (asked) => {
    const early = asked.unsaved.size === 0 ? await onlyNamesake(asked, question) : undefined;
    if (early !== undefined) return locationsOf(questions, root, [namePlace(early)]);
    return await forwardIn(questions, request, { ...asked, uri, file });
  });
}

async function onlyNamesake(
  { open, symbols }: Asked,
  { file, position }: Pick<PositionQuestion, 'file' | 'position'>,
): Promise<SymbolNode | undefined> {
  const { sources, files } = open;
  if (sources.serverOf(file) === undefined || files.warmServers.isReady(file)) return undefined;
  if (parsedLanguageOf(sources, file) === undefined) return undefined;
  const name = wordAt(files.textOf(file), position)?.word;
  if (name === undefined) return undefined;
  const found = await symbols.find(name, { within: '', isSubstring: false, kinds: everyKind });
  return found.length === 1 ? found[0] : undefined;
}

const wordStart = /[\p{L}\p{N}_$]*$/u;
const wordEnd = /^[\p{L}\p{N}_$]*/u;

/** Returns the identifier at a position, with its place in the text; `undefined` if there is none. */
export function wordAt(
  { text, starts }: TextLines,
  position: Position,
): { readonly word: string; readonly range: Place['range'] } | undefined {
  const offset = offsetAt(text, starts, position);
  if (offset === undefined) return undefined;
  const before = wordStart.exec(text.slice(starts[position.line] ?? 0, offset))?.[0] ?? '';
  const after = wordEnd.exec(text.slice(offset, (starts[position.line + 1] ?? text.length + 1) - 1))?.[0] ?? '';
  if (before + after === '') return undefined;
  const start = positionAt(text, starts, offset - before.length);
  return { word: before + after, range: { start, end: positionAt(text, starts, offset + after.length) } };
}
