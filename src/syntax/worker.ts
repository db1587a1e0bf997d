/** Entry point of the worker thread that parses texts. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { Language, Parser, type Tree } from 'web-tree-sitter';
import { serveRequests } from '../base/worker-protocol.ts';
import { javaTypes } from '../languages/java/types.ts';
import type { ParsedProfile } from '../languages/language-profile.ts';
import { parsedProfiles, type SyntaxLanguage } from '../languages/profiles.ts';
import { fixtureFacts } from '../languages/python/fixture-facts.ts';
import { derivedNames, lateDeclarations } from '../languages/python/tree-facts.ts';
import type { SignatureRules } from '../languages/signature-rules.ts';
import type { PatternContexts } from './code-pattern.ts';
import { compileRule } from './compile-rule.ts';
import { grammarBytes } from './grammar-bytes.ts';
import { identifiersIn, nameOccurrences } from './identifiers.ts';
import { type CodeTest, matchesIn } from './match-pattern.ts';
import { outline } from './outline.ts';
import { signatureSites } from './signatures.ts';
import { syntaxErrorsIn } from './syntax-errors-in.ts';
import type { SyntaxOperations, SyntaxQuery } from './syntax-protocol.ts';

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
  serveRequests<SyntaxOperations>(port, async ({ kind, query }) => {
    const parser = await parserOf(query.language);
    return { answer: inTree(parser, query.text, (tree) => answers[kind](tree, query, parser)) };
  });
}

const answers: {
  readonly [Kind in keyof SyntaxOperations]: (
    tree: Tree,
    query: SyntaxQuery,
    parser: Parser,
  ) => SyntaxOperations[Kind]['answer'];
} = {
  outline: (tree, { language }) => ({
    symbols: outline(tree, parsedProfiles[language].outline),
    hasError: tree.rootNode.hasError,
  }),
  identifiers: (tree, { language }) => identifiersIn(tree, parsedProfiles[language].outline),
  lateDeclarations: (tree) => lateDeclarations(tree),
  derivedNames: (tree) => derivedNames(tree),
  fixtures: (tree, { name = '' }) => fixtureFacts(tree, name),
  javaTypes: (tree) => javaTypes(tree),
  errors: (tree) => syntaxErrorsIn(tree),
  signatures: (tree, { language, text, places }) => signatureSites(tree, signaturesOf(language), { text, places }),
  rule: (_tree, query, parser) => {
    const compiled = ruleIn(query, parser);
    return typeof compiled === 'string' ? compiled : { words: compiled.words };
  },
  matches: (tree, query, parser) => {
    const compiled = ruleIn(query, parser);
    return typeof compiled === 'string' ? [] : matchesIn(tree, compiled);
  },
  occurrences: (tree, { language, text, name = '' }) => nameOccurrences(tree, parsedProfiles[language], { text, name }),
};

function contextsOf(language: SyntaxLanguage): PatternContexts | undefined {
  const profile: ParsedProfile = parsedProfiles[language];
  return profile.patternContexts;
}

/** The latest rule: it is asked for in many texts. */
let latest: { readonly key: string; readonly compiled: CodeTest | string } | undefined;

function ruleIn({ language, rule }: SyntaxQuery, parser: Parser): CodeTest | string {
  if (rule === undefined) return 'there is no rule';
  const key = `${language}\n${JSON.stringify(rule)}`;
  if (latest?.key !== key) latest = { key, compiled: compileRule(parser, rule, contextsOf(language)) };
  return latest.compiled;
}

function signaturesOf(language: SyntaxLanguage): SignatureRules | undefined {
  const profile: ParsedProfile = parsedProfiles[language];
  return profile.signatures;
}

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
