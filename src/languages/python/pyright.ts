import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import { requestReferences } from '../../lsp/features/locations.ts';
import { requestRename } from '../../lsp/features/rename.ts';
import type { ServerAdapter } from '../../servers/adapter.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { lineStarts } from '../../text/lines.ts';
import { offsetAt } from '../../text/position.ts';
import { definitionsIn, flat } from '../corrections.ts';
import { symbolKinds } from '../outline-rules.ts';
import { PythonNames } from './names.ts';

/**
 * pyright 1.1.414 reports names that are declared too late only if they were assigned before:
 *
 * ```python
 * def count():
 *     print(total)
 *     global total   # a syntax error, which pyright does not report
 * ```
 *
 * Covered by `test/languages/python/late-globals.test.ts`.
 */
const lateGlobals: NonNullable<ServerAdapter['moreDiagnostics']> = async (text) => {
  if (!/^[ \t]*(?:global|nonlocal)\b/m.test(text)) return [];
  try {
    const late = await syntaxTrees.lateDeclarations('python', text);
    return late.map(({ name, start }) => ({
      range: { start, end: { line: start.line, character: start.character + name.length } },
      message: `"${name}" is used before its global or nonlocal declaration`,
      severity: 1,
      code: undefined,
      source: 'syntax',
    }));
  } catch (error) {
    log('servers').warn(`cannot check global statements: ${messageOf(error)}`);
    return [];
  }
};

const anyDefinition = /^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+([\p{L}_][\p{L}\p{N}_]*)/gmu;

/** Matches what makes pyright treat the code after it as unreachable, besides conditions on `TYPE_CHECKING`. */
const condition =
  /\b(?:platform|version_info|os\.name)\b|^[ \t]*(?:if|elif|while)[ \t(]+(?:not[ \t(]+)?(?:True|False|[01])\b|^(?:raise\b|assert[ \t]+(?:False|0)\b|(?:sys\.)?exit\(|quit\()/m;
const typeChecking = /\bTYPE_CHECKING\b/;
const otherwise = /\bnot[ \t(]+(?:\w+\.)?TYPE_CHECKING\b|^[ \t]*else[ \t]*:/m;

/**
 * pyright 1.1.414 reports no symbols in code that it treats as unreachable:
 *
 * ```python
 * import sys
 * assert sys.platform == "win32"
 * def handles(): ...   # no symbol on Linux
 * ```
 *
 * Adds those that the syntax tree has, except in functions that pyright reports. Covered by
 * `test/languages/python/unreachable-code.test.ts`.
 */
export const withUnreachable: NonNullable<Quirks['completeSymbols']> = async (symbols, text) =>
  mayBeIncomplete(symbols, text) ? merged(symbols, (await definitionsIn('python', text)) ?? []) : symbols;

function mayBeIncomplete(symbols: readonly PlainSymbol[], text: string): boolean {
  if (condition.test(text) || (typeChecking.test(text) && otherwise.test(text))) return true;
  const reported = new Set(flat(symbols).map(({ name }) => name));
  return !text.matchAll(anyDefinition).every(([, name = '']) => reported.has(name));
}

/** Returns `symbols` with those of `defined` whose names are missing at the same place of the tree. */
function merged(symbols: readonly PlainSymbol[], defined: readonly PlainSymbol[]): PlainSymbol[] {
  const known = new Set(symbols.map(({ name }) => name));
  const complete = symbols.map((symbol) => {
    const same = defined.find(({ name, kind }) => name === symbol.name && kind === symbol.kind);
    const isClass = same?.kind === symbolKinds.class;
    return isClass ? { ...symbol, children: merged(symbol.children, same.children) } : symbol;
  });
  return [...complete, ...defined.filter(({ name }) => !known.has(name))];
}

/**
 * pyright 1.1.414 lists references in open files that its configuration excludes, but does not rename them:
 *
 * ```python
 * # extra/script.py, which is open, with `{ "include": ["pkg"] }`
 * from pkg.model import Model
 * Model().validate()   # keeps the old name
 * ```
 *
 * Covered by the test of a rename and its reversal in `test/languages/python/queries.test.ts`.
 */
const rename: NonNullable<Quirks['rename']> = async (server, request, limits) => {
  const steps = await requestRename(server, request, limits);
  const edited = new Set(steps.flatMap((step) => (step.do === 'edit' ? [step.file] : [])));
  const text = textFrom(server.documents.textOf(request.file), request.range.start);
  const name = /^[\p{L}\p{N}_]*/u.exec(text)?.[0] ?? '';
  const references = await requestReferences(server, request, limits);
  const left = references.filter(
    ({ file, range }) =>
      !edited.has(file) &&
      server.documents.isOpen(file) &&
      textFrom(server.documents.textOf(file), range.start).startsWith(name),
  );
  const added = [...Map.groupBy(left, ({ file }) => file)].map(([file, own]) => ({
    do: 'edit' as const,
    file,
    edits: own.map(({ range }) => ({ range, newText: request.newName })),
  }));
  return [...steps, ...added];
};

function textFrom(text: string, position: { line: number; character: number }): string {
  return text.slice(offsetAt(text, lineStarts(text), position) ?? text.length);
}

export const pyrightQuirks: Quirks = {
  rename,
  leavesImports: true,
  completeSymbols: withUnreachable,
  // Without it a large project takes minutes under Bun.
  preload: 'heap-statistics',
  supportsClosedFiles: true,
  // All other errors have a rule.
  syntaxErrors: { hasNoCode: true },
};

export const pyrightAdapter: ServerAdapter = {
  // pyright renames what may be the member of one of several types (`x: A | B`), also if the others keep the name. Covered
  // by `test/symbols/queries/family.test.ts`.
  // A class with the members of a protocol is one, whether it names the protocol or not.
  editChecks: {
    checksRenamedMembers: true,
    structuralTypes: /^\s*(?:\[[^\]]*\]\s*)?\([^)]*\bProtocol\b/,
    unusedCodes: [],
  },
  missingModule: /^Import "([^"]+)" could not be resolved|^"([^"]+)" is unknown import symbol/,
  unreadFile: /^Source file could not be read/,
  moreDiagnostics: lateGlobals,
  // pyright resolves uses to stubs, and renames the definition without the stub, or the reverse; in code that it takes
  // for unreachable it resolves nothing, and lists what has the same name.
  namesInCode: (read) => new PythonNames(read),
  // Behind conditions on the platform and the version of Python that are false here. pyright also skips code that only
  // runs without a type checker, which is meant.
  skippedCode: {
    marked: /statically evaluated as false/,
    cause: /\b(?:sys\.platform|platform\.system|version_info|os\.name)\b/,
  },
};
