import type { Call } from '../base/call.ts';
import { isExpected } from '../base/errors.ts';
import { preOrder, type SymbolNode } from '../symbols/model/symbol.ts';
import { parsedLanguageOf } from '../symbols/model/syntax-language.ts';
import { textLines } from '../text/text-lines.ts';
import { documentParams, queryParams } from './params.ts';
import { type Asked, ask, type Questions, uriOf } from './questions.ts';

const everyKind = { include: [], exclude: [] };
/** More symbols are of no use in a list that a person types in. */
const maxWorkspaceSymbols = 1_000;

/** Answers `textDocument/documentSymbol`: from the language server if it is ready, else from the syntax tree. */
export async function documentSymbols(questions: Questions, params: unknown, call: Call): Promise<unknown> {
  const { uri } = documentParams.parse(params).textDocument;
  const located = questions.workspace.locate(uri);
  if (located === undefined) return null;
  const { root, file } = located;
  return await ask(questions, { root, name: 'textDocument/documentSymbol' }, call, async (asked) => {
    const { open, symbols, unsaved } = asked;
    if (open.sources.serverOf(file) === undefined) return null;
    const text = unsaved.get(file);
    const tree = text === undefined ? await symbols.overview(file) : await unsavedTree(asked, { file, text });
    if (!questions.client.can('textDocument.documentSymbol.hierarchicalDocumentSymbolSupport'))
      return preOrder(tree).map((symbol) => symbolInformation(questions, root, symbol));
    return tree.map(documentSymbol);
  });
}

async function unsavedTree(
  { open, symbols }: Asked,
  { file, text }: { readonly file: string; readonly text: string },
): Promise<readonly SymbolNode[]> {
  const language = parsedLanguageOf(open.sources, file);
  if (language !== undefined) return (await open.files.parsed.treeOf(file, textLines(text), language)).nodes;
  return await symbols.withUnsaved(file, new Map([[file, text]]), () => symbols.overview(file));
}

function documentSymbol({ name, kind, range, selectionRange, children }: SymbolNode): object {
  return { name: name || '?', kind, range, selectionRange, children: children.map(documentSymbol) };
}

function symbolInformation(questions: Questions, root: string, symbol: SymbolNode): object {
  const { name, kind, parent, file, selectionRange } = symbol;
  const location = { uri: uriOf(questions, { root, file }), range: selectionRange };
  return { name, kind, location, ...(parent === undefined ? {} : { containerName: parent.name }) };
}

/** Answers `workspace/symbol` in all projects of the client. */
export async function workspaceSymbols(questions: Questions, params: unknown, call: Call): Promise<unknown> {
  const { query } = queryParams.parse(params);
  const name = query.trim();
  const found = await Promise.all(
    questions.workspace.roots.map((root) =>
      ask(questions, { root, name: 'workspace/symbol', sent: params }, call, async ({ symbols }) => {
        const matching = name === '' ? [] : await matches(symbols, name);
        return matching.slice(0, maxWorkspaceSymbols).map((symbol) => symbolInformation(questions, root, symbol));
      }),
    ),
  );
  return found.flat();
}

async function matches(symbols: Asked['symbols'], query: string): Promise<readonly SymbolNode[]> {
  try {
    return await symbols.find(query, { within: '', isSubstring: true, kinds: everyKind });
  } catch (error) {
    if (isExpected(error, 'symbol.bad-pattern')) return [];
    throw error;
  }
}
