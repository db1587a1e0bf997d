import { basename, dirname } from 'node:path/posix';
import { mapConcurrently } from '../../base/concurrent.ts';
import { messageOf } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { FurtherRenaming } from '../../symbols/adapter.ts';
import { isCallable } from '../../symbols/model/kinds.ts';
import { readable, type SymbolScope } from '../../symbols/model/scope.ts';
import { type Entry, entriesAt, type NameQuestion, type Ruling } from '../../symbols/occurrences/ledger.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { comparePositions, keyAt, placeAt } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import type { FixtureFacts, FixturePlace, FixtureRequest } from './fixture-facts.ts';

/** One thread parses; the next files are read meanwhile. */
const filesAtOnce = 4;

/** A fixture of pytest and the file that defines it. */
interface Fixture extends FixturePlace {
  readonly file: string;
}

/** What files have to do with fixtures of one name. */
type FactsByFile = ReadonlyMap<string, FixtureFacts>;

/**
 * Returns the uses of a fixture of pytest: the parameters and strings by which tests and other fixtures ask for it. Open are
 * those that another fixture of the name may serve, and that other fixture itself. Empty for other symbols.
 *
 * ```python
 * @pytest.fixture
 * def account(): ...
 *
 * def test_balance(account):     # pyright leads it to the parameter
 *     assert account.total == 0
 * ```
 *
 * @throws {ExpectedError} `file.*`, `search.too-slow`.
 */
export async function fixtureUses(scope: SymbolScope, question: NameQuestion): Promise<readonly Entry[]> {
  const found = await requestsFor(scope, question);
  const { length } = question.name;
  const replaced = {
    verdict: 'open',
    reason: 'one of two fixtures of this name may take the place of the other',
  } as const;
  return [
    ...found.requests.flatMap(({ file, start, ruling }) =>
      entriesAt([placeAt(file, start, length)], { ...ruling, judge }),
    ),
    ...found.rivals.flatMap(({ file, start }) => entriesAt([placeAt(file, start, length)], { ...replaced, judge })),
  ];
}

const judge = 'fixture';

/**
 * Returns the steps of the rename of a fixture with those that rename the parameters by which it is asked for, in their
 * functions.
 *
 * @throws {ExpectedError} `server.*`, `file.*`, `search.too-slow`.
 */
export async function withRequests(
  scope: SymbolScope,
  question: NameQuestion,
  { steps, rename }: FurtherRenaming,
): Promise<WorkspaceStep[]> {
  const all = [...steps];
  for (const { file, start, isString, ruling } of (await requestsFor(scope, question)).requests) {
    if (isString || ruling.verdict !== 'own') continue;
    await scope.files.show(question.server, file, scope.call);
    all.push(...(await rename(placeAt(file, start, question.name.length))));
  }
  return all;
}

/** A place where pytest passes a fixture, or may do so. */
interface DecidedRequest extends FixtureRequest {
  readonly file: string;
  readonly ruling: Ruling;
}

/** Returns where pytest passes the fixture that a symbol is, and which others may take its place; nothing for other symbols. */
async function requestsFor(
  scope: SymbolScope,
  question: NameQuestion,
): Promise<{ readonly requests: readonly DecidedRequest[]; readonly rivals: readonly Fixture[] }> {
  const { target, name } = question;
  const text = readable(scope, target.file);
  if (!isCallable(target) || text === undefined || !/fixture\b/.test(text.text)) return { requests: [], rivals: [] };
  const { definitions } = await factsIn(scope, target.file, name);
  const own = definitions.find(({ start }) => isSamePosition(start, target.selectionRange.start));
  if (own === undefined) return { requests: [], rivals: [] };
  const facts = [...(await allFacts(scope, question))];
  const fixture = { ...own, file: target.file };
  const all = facts.flatMap(([file, ofFile]) => ofFile.definitions.map((one) => ({ ...one, file })));
  const others = all.filter((one) => keyOf(one) !== keyOf(fixture));
  const asked = { fixture, others, loaded: await loadedFrom(scope, question) };
  const requests = facts.flatMap(([file, ofFile]) =>
    ofFile.requests.flatMap((request) => {
      const ruling = rulingOn(asked, { ...request, file });
      return ruling === undefined ? [] : [{ ...request, file, ruling }];
    }),
  );
  return { requests, rivals: others.filter((one) => mayMeet(asked, one)) };
}

function isSamePosition(a: Position, b: Position): boolean {
  return comparePositions(a, b) === 0;
}

function keyOf({ file, start }: Fixture): string {
  return keyAt(file, start);
}

/** A fixture, the others of its name, and the files that make it known where pytest would not find it. */
interface FixtureQuestion {
  readonly fixture: Fixture;
  readonly others: readonly Fixture[];
  readonly loaded: Loaded;
}

/** What is known of a fixture at a place: whether pytest passes it there. */
type Reach = 'yes' | 'maybe' | 'no';

function rulingOn(question: FixtureQuestion, request: FixtureRequest & { file: string }): Ruling | undefined {
  const { fixture, others, loaded } = question;
  const isBy = ({ file, start }: Fixture) =>
    request.by !== undefined && file === request.file && isSamePosition(start, request.by);
  const reach = isBy(fixture) ? 'no' : reachOf(fixture, request, loaded);
  if (reach === 'no') return undefined;
  if (others.some((one) => !isBy(one) && reachOf(one, request, noneLoaded) !== 'no')) {
    return { verdict: 'open', reason: 'another fixture of this name may be passed' };
  }
  if (request.isUnclear) return { verdict: 'open', reason: 'a decorator may pass something else' };
  if (reach === 'yes') return { verdict: 'own', reason: 'pytest passes the fixture of this name' };
  return { verdict: 'open', reason: `pytest passes the fixture if it loads \`${fixture.file}\`` };
}

/** True if tests may get another fixture instead of the fixture, or the other way round. */
function mayMeet({ fixture, loaded }: FixtureQuestion, other: Fixture): boolean {
  return reachOf(fixture, other, loaded) !== 'no' || reachOf(other, fixture, noneLoaded) !== 'no';
}

/** Returns whether a fixture can be passed in a file and class, by the rules of pytest. */
function reachOf(fixture: Fixture, at: FixturePlace & { file: string }, loaded: Loaded): Reach {
  const isSameFile = fixture.file === at.file;
  if (fixture.owner !== undefined) {
    if (isSameFile && fixture.owner.name === at.owner?.name) return 'yes';
    // The class may be derived from that of the fixture.
    return at.owner?.hasBases === true ? 'maybe' : 'no';
  }
  if (isSameFile) return 'yes';
  const isConftest = basename(fixture.file) === 'conftest.py';
  if (isConftest && isBelow(at.file, dirname(fixture.file))) return 'yes';
  if (loaded.everywhere || loaded.files.has(at.file)) return 'yes';
  if ([...loaded.files].some((one) => basename(one) === 'conftest.py' && isBelow(at.file, dirname(one)))) return 'yes';
  return isConftest || /^test_|_test\.py$/.test(basename(fixture.file)) ? 'no' : 'maybe';
}

function isBelow(file: string, directory: string): boolean {
  return directory === '.' || file.startsWith(`${directory}/`);
}

/** The files that import a fixture; `everywhere` if pytest loads its module as a plugin. */
interface Loaded {
  readonly files: ReadonlySet<string>;
  readonly everywhere: boolean;
}

const noneLoaded: Loaded = { files: new Set(), everywhere: false };

/** Returns the files that name the module of a fixture in an import with the fixture, or as a plugin. */
async function loadedFrom(scope: SymbolScope, { target }: NameQuestion): Promise<Loaded> {
  const module = basename(target.file, '.py').replace(/[^\w]/g, '');
  const importing = await filesWith(scope, `\\b${module}\\s+import\\b`);
  const plugins = await filesWith(scope, 'pytest_plugins');
  const asPlugin = new RegExp(`pytest_plugins\\b[^#]*['"](?:[\\w.]+\\.)?${module}['"]`);
  const imported = new RegExp(
    `\\b${module}\\s+import\\s+(?:\\*|\\([^)]*\\b${target.name}\\b|[^\\n(]*\\b${target.name}\\b)`,
  );
  return {
    files: new Set(importing.filter((file) => imported.test(readable(scope, file)?.text ?? ''))),
    everywhere: plugins.some((file) => asPlugin.test(readable(scope, file)?.text ?? '')),
  };
}

/** Returns the files of Python with a match of a pattern. */
async function filesWith(scope: SymbolScope, pattern: string): Promise<string[]> {
  const query = { multiline: false, contextBefore: 0, contextAfter: 0, maxChars: 1, extensions: ['.py'], pattern };
  const { files } = await scope.files.project.scanner.search(query, scope.call.signal);
  return files.map(({ path }) => path);
}

/** Returns what the files of the project that have the name have to do with fixtures. */
async function allFacts(scope: SymbolScope, { name }: NameQuestion): Promise<FactsByFile> {
  const files = await filesWith(scope, `\\b${name}\\b`);
  const facts = await mapConcurrently(files, filesAtOnce, (file) => factsIn(scope, file, name));
  return new Map(files.map((file, index) => [file, facts[index] ?? none]));
}

const none: FixtureFacts = { definitions: [], requests: [] };

/** What the texts in memory have, by name. */
const parsed = new WeakMap<TextLines, Map<string, Promise<FixtureFacts>>>();

/** Returns what a file has to do with fixtures of a name; a file that cannot be parsed becomes a gap. */
async function factsIn(scope: SymbolScope, file: string, name: string): Promise<FixtureFacts> {
  const text = readable(scope, file);
  if (text === undefined || !/\bfixture|\btest|pytest/.test(text.text)) return none;
  const ofText = parsed.get(text) ?? new Map<string, Promise<FixtureFacts>>();
  parsed.set(text, ofText);
  const answer = ofText.get(name) ?? syntaxTrees.fixtures('python', text.text, name);
  ofText.set(name, answer);
  try {
    return await answer;
  } catch (error) {
    ofText.delete(name);
    scope.call.signal.throwIfAborted();
    const reason = `${namedFiles([file])} cannot be parsed: ${messageOf(error)}`;
    scope.gaps.push({ missing: 'Uses of the fixture may be missing', reason, next: 'Read the file' });
    return none;
  }
}
