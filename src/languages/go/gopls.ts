import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import { requestImplementations } from '../../lsp/features/locations.ts';
import type { ReferredSymbol, ServerAdapter } from '../../servers/adapter.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { lineStarts } from '../../text/lines.ts';
import type { Place } from '../../text/place.ts';
import { offsetAt } from '../../text/position.ts';
import { deletedConstant, goChecks } from './deletions.ts';
import { moveInPackage } from './moves.ts';

/** Captures the receiver's type of a method such as `(*Stack[T]).Push`. */
const method = /^\(\*?([\p{L}_][\p{L}\p{N}_]*)(?:\[.*\])?\)\./u;

const declaration = /\b(?:type|var|const)[ \t]+$/;

/**
 * In gopls 0.23 the range of a single `type`, `var` or `const` declaration starts after the keyword, so that replacing
 * a body would duplicate the keyword. gopls also names a method `(*T).Name` instead of nesting it: the receiver becomes
 * part of the method's name path, `Stack/Push`. Covered by Go's conformance answers.
 */
export const goplsQuirks: Quirks = {
  adjustSymbols: (symbols, text) => {
    const lines = text.split('\n');
    return symbols.map((symbol) => withReceiver(withKeyword(symbol, lines[symbol.range.start.line] ?? '')));
  },
  implementations,
  // gopls 0.23 renames the methods of types with that of an interface, unless only an external test uses one as the other.
  renamedTogether: /no longer assignable to interface (?<type>[\p{L}\p{N}_]+)/u,
  leavesImports: true,
  // Others run `go`, tests or a web server.
  editCommands: [
    ...['gopls.add_test', 'gopls.apply_fix', 'gopls.change_signature', 'gopls.extract_to_new_file'],
    ...['gopls.implement_interface', 'gopls.modify_tags'],
  ],
  supportsClosedFiles: true,
  // A `replace` in the other module's `go.mod` makes it build, but gopls 0.23 searches references in one build.
  workspaceFile: 'go.work',
  lineBreaks: /\n/g,
  syntaxErrors: { source: 'syntax' },
  hasImplicitInterfaces: true,
  // Files with tags that no combination of operating system and architecture sets.
  excludedFile: /no package metadata for file/,
};

export const goAdapter: ServerAdapter = {
  mayReferTo,
  moveSymbol: moveInPackage,
  editChecks: goChecks,
  importActions: { kind: 'source.organizeImports', isWhole: true },
  deletedPart: deletedConstant,
};

/**
 * gopls 0.23 leads from every method of a type with a method `Error() string` to that of the interface `error`. Covered by
 * `test/symbols/queries/family.test.ts`.
 */
async function implementations(server: LanguageServer, place: Place, limits: RequestLimits): Promise<readonly Place[]> {
  const found = await requestImplementations(server, place, limits);
  const text = server.documents.textOf(place.file);
  const isError = /^Error\b/.test(text.slice(offsetAt(text, lineStarts(text), place.range.start) ?? text.length));
  return isError ? found : found.filter(({ file }) => !/[\\/]builtin[\\/]builtin\.go$/.test(server.files.pathOf(file)));
}

function withReceiver(symbol: PlainSymbol): PlainSymbol {
  const receiver = method.exec(symbol.name)?.[1];
  return receiver === undefined ? symbol : { ...symbol, receiver };
}

function withKeyword(symbol: PlainSymbol, line: string): PlainSymbol {
  const { start, end } = symbol.range;
  const keyword = declaration.exec(line.slice(0, start.character));
  if (!keyword) return symbol;
  return { ...symbol, range: { start: { line: start.line, character: keyword.index }, end } };
}

/**
 * Returns a predicate for files that may refer to the target. A file refers to a declaration of another package only if
 * it imports the package, by a path that ends with the package's directory name, or through an embedded field, which
 * has the name of its type. The root directory of a module may have another name than the module's path.
 */
export function mayReferTo({ path, name, isTopLevel, lines }: ReferredSymbol): (path: string, text: string) => boolean {
  const directory = dirname(path);
  const embedded = new RegExp(`(^|[{;])\\s*\\*?(\\w+\\.)?${name}(\\[.*\\])?\\s*([\`";}]|//|$)`);
  if (!isTopLevel || existsSync(join(directory, 'go.mod')) || lines.some((line) => embedded.test(line)))
    return () => true;
  const imported = new RegExp(`["\`/]${RegExp.escape(basename(directory))}["\`]`);
  return (other, text) => dirname(other) === directory || imported.test(text);
}
