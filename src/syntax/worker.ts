/** Entry point of the worker thread that parses texts. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { Language, Parser, type Tree } from 'web-tree-sitter';
import { messageOf } from '../base/errors.ts';
import { javaTypes } from '../languages/java/types.ts';
import { parsedProfiles, type SyntaxLanguage } from '../languages/profiles.ts';
import { derivedNames, lateDeclarations } from '../languages/python/tree-facts.ts';
import { grammarBytes } from './grammar-bytes.ts';
import { identifiersIn, nameOccurrences } from './identifiers.ts';
import { outline } from './outline.ts';
import { syntaxErrorsIn } from './syntax-errors-in.ts';
import type { SyntaxAnswers, SyntaxQuestion, SyntaxRequest, SyntaxResponse } from './syntax-protocol.ts';

if (parentPort !== null) serve(parentPort);

/** Answers the requests that arrive at `port`; each grammar is loaded with its first request. */
function serve(port: MessagePort): void {
  const parsers = new Map<SyntaxLanguage, Promise<Parser>>();
  const started = grammarBytes('runtime').then((wasmBinary) => Parser.init({ wasmBinary }));
  const parserOf = (language: SyntaxLanguage) => {
    const parser = parsers.get(language) ?? started.then(() => load(language));
    parsers.set(language, parser);
    return parser;
  };
  const answer = async (request: SyntaxRequest): Promise<SyntaxResponse> => {
    const { id, question, language, text } = request;
    try {
      const parser = await parserOf(language);
      return { id, answer: inTree(parser, text, (tree) => answers[question](tree, request)) };
    } catch (error) {
      return { id, failure: messageOf(error) };
    }
  };
  port.on('message', (request: SyntaxRequest) => void answer(request).then((response) => port.postMessage(response)));
}

const answers: { readonly [Q in SyntaxQuestion]: (tree: Tree, request: SyntaxRequest) => SyntaxAnswers[Q] } = {
  outline: (tree, { language }) => ({
    symbols: outline(tree, parsedProfiles[language].outline),
    hasError: tree.rootNode.hasError,
  }),
  identifiers: (tree, { language }) => identifiersIn(tree, parsedProfiles[language].outline),
  lateDeclarations: (tree) => lateDeclarations(tree),
  derivedNames: (tree) => derivedNames(tree),
  javaTypes: (tree) => javaTypes(tree),
  errors: (tree) => syntaxErrorsIn(tree),
  occurrences: (tree, { language, text, name = '' }) =>
    nameOccurrences(tree, parsedProfiles[language].outline, { text, name }),
};

async function load(language: SyntaxLanguage): Promise<Parser> {
  return new Parser().setLanguage(await Language.load(await grammarBytes(language)));
}

/** Returns the result of `use` for the syntax tree of `text`. A tree is not collected with its object. */
function inTree<T>(parser: Parser, text: string, use: (tree: Tree) => T): T {
  const tree = parser.parse(text);
  if (tree === null) throw new Error('the text was not parsed');
  try {
    return use(tree);
  } finally {
    tree.delete();
  }
}
