import { dirname, join } from 'node:path/posix';
import { remainingMs } from '../../base/call.ts';
import { mapConcurrently } from '../../base/concurrent.ts';
import { isExpected } from '../../base/errors.ts';
import { type Gap, type GapPlace, namedFiles } from '../../base/gap.ts';
import type { Edits } from '../../edits/edits.ts';
import type { Exposure } from '../../languages/language-profile.ts';
import { contains, type Place } from '../../text/place.ts';
import { symbolAround } from '../model/at-position.ts';
import { isTest, isTestFile } from '../model/is-test.ts';
import { isCallable, isTypeKind, kinds } from '../model/kinds.ts';
import { readable } from '../model/scope.ts';
import { namedSymbol, type SymbolNode } from '../model/symbol.ts';
import { lineOf } from '../queries/report-open.ts';
import type { EditScope } from './edit-problems.ts';
import { identifierOf } from './edited-symbol.ts';
import { exposureIn, textBefore, whyFound, whyMore } from './exposure.ts';
import { findMentions, isDocument, whyStringIsUse } from './mentions.ts';
import { ownReferences, separateDefinitions, whyUsedUnnamed } from './safe-delete.ts';

/** A declaration that no other code of the project uses, as far as that can be known. */
export interface UnusedSymbol {
  readonly symbol: SymbolNode;
  /** `tests`: only tests use it. `undecided`: something may use it that names it nowhere, or only in a string. */
  readonly is: 'unused' | 'tests' | 'undecided';
  /** Why it cannot be decided, as a clause. */
  readonly why?: string;
  /** The line that `why` is about, if there is one. */
  readonly place?: GapPlace;
}

type Verdict = Omit<UnusedSymbol, 'symbol'>;

/** What was found in files, and how many of their declarations were examined. */
export interface UnusedSymbols {
  readonly found: readonly UnusedSymbol[];
  readonly examined: number;
}

/** Each declaration costs a question about its references. */
const atOnce = 4;
const shareOfTime = 0.8;
const unlimitedMs = 240_000;

const variableKinds: readonly number[] = [kinds.variable, kinds.constant];

/**
 * Returns the declarations in project-relative files that nothing uses, in their order: functions, types, methods and
 * variables of files, without tests and without the members of what is unused itself. Uses inside a declaration itself do
 * not count. Declarations that were not examined in time become a gap. `edits` is not changed.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function findUnused(scope: EditScope, edits: Edits, files: readonly string[]): Promise<UnusedSymbols> {
  const endMs = performance.now() + (remainingMs(scope.call) ?? unlimitedMs) * shareOfTime;
  const found: UnusedSymbol[] = [];
  const left = new Set<string>();
  let examined = 0;
  const visit = async (symbols: readonly SymbolNode[]): Promise<void> => {
    const results = await mapConcurrently(symbols, atOnce, async (symbol) => {
      if (!isJudged(scope, symbol)) return undefined;
      if (performance.now() > endMs) return void left.add(symbol.file);
      examined++;
      return await judgeIfAnswered(scope, edits, symbol);
    });
    for (const [index, symbol] of symbols.entries()) {
      const result = results[index];
      if (result !== undefined) found.push({ symbol, ...result });
      const isUsed = result === undefined || result.is === 'undecided';
      if (isTypeKind(symbol.kind) ? isUsed : !isJudged(scope, symbol) && !isCallable(symbol))
        await visit(symbol.children);
    }
  };
  for (const file of files) {
    if (isTestFile(file)) continue;
    scope.call.progress(`Judging the declarations of ${file}`);
    await visit(await scope.files.treeOf(file, scope.call));
  }
  if (left.size > 0) scope.gaps.push(timeGap(left));
  return { found, examined };
}

function timeGap(files: ReadonlySet<string>): Gap {
  return {
    missing: `Unused declarations in ${namedFiles([...files])} may be missing`,
    reason: 'not all declarations were examined in time',
    next: 'Pass a file or a smaller directory as `relative_path`',
  };
}

/** Not the data of types, which code may read by their names or all at once. */
function isJudged(scope: EditScope, symbol: SymbolNode): boolean {
  // A callback has no name by which anything could refer to it.
  if (isTest(symbol) || symbol.kind === kinds.constructor || namedSymbol(symbol) !== symbol) return false;
  const { entry, entryMember } = exposureIn(scope, symbol.file).exposure ?? {};
  if (entry?.test(symbol.name) === true) return false;
  if (symbol.parent !== undefined && entry?.test(symbol.parent.name) === true) return false;
  if (symbol.children.some(({ name }) => entryMember?.test(name))) return false;
  const isMember = symbol.parent !== undefined && isTypeKind(symbol.parent.kind);
  return isCallable(symbol) || isTypeKind(symbol.kind) || (!isMember && variableKinds.includes(symbol.kind));
}

/** Returns the same as {@link judge}; a declaration that the language server does not answer about is undecided. */
async function judgeIfAnswered(scope: EditScope, edits: Edits, symbol: SymbolNode): Promise<Verdict | undefined> {
  try {
    return await judge(scope, edits, symbol);
  } catch (error) {
    // For example a file of Go for another operating system.
    if (!isExpected(error, 'server.refused')) throw error;
    return { is: 'undecided', why: error.message };
  }
}

/** Returns what is known of a declaration; `undefined` if it is used. */
async function judge(scope: EditScope, edits: Edits, symbol: SymbolNode): Promise<Verdict | undefined> {
  const own = { ...scope, gaps: [] };
  const all = await ownReferences(own, symbol);
  const uses = all.filter(({ file, range }) => file !== symbol.file || !contains(symbol.range, range.start));
  for (const use of uses) if (!(await isInTest(scope, use))) return undefined;
  const declared = (await separateDefinitions(own, symbol)).map(({ file }) => file);
  // What is declared elsewhere is judged there.
  if (declared.some((file) => file !== symbol.file && isSeenIn(scope, file) && !isSeenIn(scope, symbol.file)))
    return undefined;
  const target = { symbol, draft: edits.open(symbol.file) };
  const undecided = (why: string | undefined): Verdict | undefined =>
    why === undefined ? undefined : { is: 'undecided', why };
  const doubt =
    ofGap(own.gaps) ??
    undecided(whyOthersUse(scope, symbol)) ??
    undecided(await whyUsedUnnamed(own, target)) ??
    ofGap(own.gaps);
  if (doubt !== undefined) return uses.length > 0 ? undefined : doubt;
  if (uses.length > 0) return { is: 'tests' };
  const active = scope.files.sources.requireServer(symbol.file);
  const named = { active, symbol, name: identifierOf(target), inStrings: true };
  const { uses: strings, mentions } = await findMentions(own, edits, named, []);
  const [string] = strings;
  const configured = mentions.find(({ file }) => !isDocument(file) && scope.files.sources.serverOf(file) !== active);
  const doubtful = string ?? configured;
  if (doubtful === undefined) return undecided(whyLookedFor(scope, symbol)) ?? { is: 'unused' };
  const why = string === undefined ? 'a file that is no code names it' : whyStringIsUse;
  const place = { file: doubtful.file, line: doubtful.range.start.line, text: lineOf(scope, doubtful), why };
  return { is: 'undecided', why, place };
}

/** True if other projects may see the declarations of a file, by its path. */
function isSeenIn(scope: EditScope, file: string): boolean {
  return exposureIn(scope, file).exposure?.visible.file?.test(file) === true;
}

async function isInTest(scope: EditScope, { file, range }: Place): Promise<boolean> {
  if (isTestFile(file)) return true;
  const around = symbolAround(await scope.files.treeOf(file, scope.call), range.start);
  return around !== undefined && isTest(around);
}

/** Returns the verdict about a symbol whose references are not all known. */
function ofGap(gaps: readonly Gap[]): Verdict | undefined {
  const [gap] = gaps;
  if (gap === undefined) return undefined;
  const [place] = gap.places ?? [];
  return { is: 'undecided', ...(place === undefined ? { why: gap.reason } : { why: place.why, place }) };
}

/** Returns why something besides the code of the project may use a declaration, as a clause. */
function whyOthersUse(scope: EditScope, symbol: SymbolNode): string | undefined {
  const { language, exposure } = exposureIn(scope, symbol.file);
  if (exposure === undefined) return `it is not known who else may use declarations of ${language}`;
  const found = whyFound(scope, symbol);
  if (found !== undefined) return found;
  return isVisible(scope, symbol, exposure) ? 'other projects can use it' : whyMore(scope, symbol);
}

/** Returns why code of libraries may use a member of an object whatever its type is, as a clause. */
function whyLookedFor(scope: EditScope, { name, file, parent, receiver }: SymbolNode): string | undefined {
  const { duckTyped = [] } = exposureIn(scope, file).exposure ?? {};
  const found = (parent ?? receiver) === undefined ? undefined : duckTyped.find((one) => one.name.test(name));
  return found && `members of this name are called by ${found.caller}`;
}

/** True if other projects can use a declaration. */
function isVisible(scope: EditScope, symbol: SymbolNode, exposure: Exposure): boolean {
  const { visible, hiddenBy } = exposure;
  const { file, parent } = symbol;
  const isMember = parent !== undefined && isTypeKind(parent.kind);
  const text = isMember ? (visible.memberText ?? visible.text) : visible.text;
  const conditions = [
    text?.test(textBefore(scope, symbol)),
    visible.name?.test(symbol.name),
    visible.file?.test(file),
    hiddenBy && !hiddenBy.test(readable(scope, file)?.text ?? ''),
    isMember ? isVisible(scope, parent, exposure) : undefined,
  ];
  return conditions.every((holds) => holds !== false) && isPublished(scope, file, exposure);
}

/** True if the files of a library are in the directory of a file or above it. */
function isPublished(scope: EditScope, file: string, { publishedBy, unpublished }: Exposure): boolean {
  if (publishedBy === undefined) return true;
  for (let directory = dirname(file); ; directory = dirname(directory)) {
    const texts = publishedBy.flatMap((name) => readable(scope, join(directory, name))?.text ?? []);
    if (texts.length > 0) return texts.some((text) => unpublished?.test(text) !== true);
    if (directory === '.') return false;
  }
}
