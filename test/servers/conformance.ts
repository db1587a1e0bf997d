import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { appendFileSync, utimesSync } from 'node:fs';
import { isExpected } from '../../src/base/errors.ts';
import { requestDocumentSymbols } from '../../src/lsp/features/document-symbols.ts';
import type { ServerSpec } from '../../src/servers/spec.ts';
import { referencingSymbol } from '../../src/symbols/model/at-position.ts';
import { kindName } from '../../src/symbols/model/kinds.ts';
import { namePathOf } from '../../src/symbols/model/name-path.ts';
import { at } from '../support/at.ts';
import { canListProcesses, findMarked, isAlive, untilNoneMarked } from '../support/processes.ts';
import { rounds } from '../support/rounds.ts';
import { whyNoServer } from '../support/server-needs.ts';
import { testUnless } from '../support/skip.ts';
import { copyFixture, type Workspace } from '../support/workspace.ts';
import { expectAnswer } from './answers.ts';
import { type Env, install, installTimeoutMs, Opened } from './opened.ts';
import { askRename, orRefusal, type TextPlace } from './raw-questions.ts';
import { renderDiagnostics, renderFound, renderReferences, renderSections, renderTree } from './render.ts';

/** For a few server starts and questions, which take seconds on an idle machine. */
export const questionTimeoutMs = 120_000;

interface NamedSymbol {
  readonly namePath: string;
  readonly file: string;
}

/** A file without errors and one with an error. */
interface DiagnosedFiles {
  readonly clean: string;
  readonly broken: string;
}

/** The questions for one server about its copy of the fixture. Files are relative to the fixture. */
export interface Questions {
  readonly overview: readonly string[];
  /** Name path patterns, searched in the whole project. */
  readonly find: readonly (string | { readonly part: string })[];
  readonly body: readonly NamedSymbol[];
  readonly containing: readonly TextPlace[];
  readonly references: readonly NamedSymbol[];
  readonly implementation: NamedSymbol;
  readonly diagnostics: DiagnosedFiles;
  readonly rename: TextPlace & { readonly to: string };
  /** `appended` goes to the end of the symbol's file; `prepended` to the start of a file that refers to the symbol. */
  readonly edit: {
    readonly symbol: NamedSymbol;
    readonly appended: string;
    readonly defines: string;
    readonly user: string;
    readonly prepended: string;
  };
  /** A new file that refers to the symbol, at first as `text`, then as `changed`; then under the name `moved`. */
  readonly external: {
    readonly symbol: NamedSymbol;
    readonly file: string;
    readonly text: string;
    readonly changed: string;
    readonly moved: string;
  };
}

interface About {
  readonly spec: ServerSpec;
  readonly questions: Questions;
}

type Ask = (name: string, answer: (opened: Opened) => Promise<string>) => void;

/**
 * Asks a server the thirteen questions that every server has to answer, and compares the answers with the committed ones
 * (`__answers__/<id>/<question>.txt`). All tests share one copy of the fixture and one server, since starting servers takes
 * most of the time; each test may also be run alone. The tests that change files restore them, and `restart` asks for
 * references right after the start. `capabilities` shows what a server does not support; its refusal to do that is a
 * committed answer too.
 */
export function describeServer(
  spec: ServerSpec,
  options: {
    fixture: string;
    questions: Questions;
    whyNot?: string | undefined;
    env?: Env;
    timeoutMs?: number;
    /** Adds what the fixture needs and the repository does not contain, such as packages of a framework. */
    prepare?: (workspace: Workspace) => Promise<void>;
  },
): void {
  const { fixture, questions, whyNot = whyNoServer(spec), env, timeoutMs = questionTimeoutMs, prepare } = options;
  const testHere = testUnless(whyNot);
  describe(spec.name, () => {
    let shared: Opened | undefined;
    beforeAll(async () => {
      if (whyNot !== undefined) return;
      await install(spec, env);
      const workspace = copyFixture(fixture);
      await prepare?.(workspace);
      shared = await Opened.open(workspace, spec, env);
    }, installTimeoutMs);
    afterAll(async () => await shared?.[Symbol.asyncDispose]());

    const check = async (question: string, answer: Promise<string>) =>
      expectAnswer(spec.id, question.replaceAll(' ', '-'), await answer);
    const ask: Ask = (question, answer) =>
      testHere(
        question,
        () => {
          if (shared === undefined) throw new Error('The project was not opened');
          return check(question, answer(shared));
        },
        timeoutMs,
      );
    askAboutFiles(ask, { spec, questions });
    askAboutChanges(ask, { spec, questions });
    // Last: the server is stopped then.
    askAboutProcesses(ask, { spec, questions });
  });
}

function askAboutFiles(ask: Ask, about: About): void {
  const { spec, questions } = about;
  ask('capabilities', (opened) => capabilities(opened, questions.overview[0] ?? ''));
  ask('overview', (opened) => inTurn(questions.overview, (file) => overview(opened, file)));
  ask('find', (opened) => inTurn(questions.find, (pattern) => find(opened, pattern)));
  ask('body', (opened) => inTurn(questions.body, (symbol) => body(opened, symbol)));
  ask('containing symbol', (opened) => inTurn(questions.containing, (place) => containing(opened, place)));
  ask('references', (opened) => inTurn(questions.references, (symbol) => references(opened, spec, symbol)));
  ask('implementation', (opened) => implementation(opened, spec, questions.implementation));
  ask('rename', async (opened) => {
    // The server has read the project after that, also if this test runs alone.
    await inTurn(questions.references.slice(0, 1), (symbol) => references(opened, spec, symbol));
    return askRename(opened, spec, questions.rename);
  });
  ask('diagnostics', (opened) =>
    inTurn([questions.diagnostics.clean, questions.diagnostics.broken], (file) => diagnostics(opened, file)),
  );
}

function askAboutChanges(ask: Ask, { spec, questions }: About): void {
  const { edit, external } = questions;
  ask('edit round-trip', async (opened) => {
    const { symbol, appended, defines, user, prepended } = edit;
    const { workspace } = opened;
    const ask = async () => [await overview(opened, symbol.file), await references(opened, spec, symbol)];
    const texts = [symbol.file, user].map((file) => [file, workspace.read(file)] as const);
    const before = await ask();
    appendFileSync(workspace.path(symbol.file), appended);
    const appendedTo = [
      await overview(opened, symbol.file),
      await body(opened, { namePath: defines, file: symbol.file }),
      await references(opened, spec, symbol),
    ];
    workspace.write(user, prepended + workspace.read(user));
    const moved = await references(opened, spec, symbol);
    // Files that become shorter: symbols after their new ends are gone.
    for (const [file, text] of texts) workspace.write(file, text);
    expect(await ask()).toEqual(before);
    return renderSections({ before, 'after an addition': appendedTo, 'after lines moved': [moved] });
  });

  ask('external change', async (opened) => {
    const { symbol, file, text, changed, moved } = external;
    const { workspace } = opened;
    const told: Record<string, string[]> = { before: [await references(opened, spec, symbol)] };
    workspace.write(file, text);
    told.created = [await references(opened, spec, symbol), await overview(opened, file)];
    workspace.write(file, changed);
    // As after `git checkout` of an older commit or unpacking of an archive.
    utimesSync(workspace.path(file), new Date('2001-02-03'), new Date('2001-02-03'));
    told['changed, with an older time'] = [await references(opened, spec, symbol), await overview(opened, file)];
    workspace.move(file, moved);
    told.renamed = [await references(opened, spec, symbol), await find(opened, { part: symbol.namePath })];
    workspace.remove(moved);
    told.deleted = [await references(opened, spec, symbol)];
    return renderSections(told);
  });
}

/** The servers that are restarted in each run. What follows a death is the same for all: a whole run tries it with each. */
const restarted = ['python', 'typescript', 'go'];

function askAboutProcesses(ask: Ask, { spec, questions }: About): void {
  const {
    edit: { symbol },
    overview: [file = ''],
  } = questions;
  const askAfterDeath = rounds(restarted.includes(spec.id), true) ? ask : () => undefined;
  askAfterDeath('restart', async (opened) => {
    const pidOf = () => opened.server(file, (server) => server.pid ?? 0);
    const before = [await references(opened, spec, symbol), await overview(opened, file)];
    const pid = await pidOf();
    process.kill(pid, 'SIGKILL');
    // Without a wait: the questions reach a server that is dying.
    const [after, again] = await Promise.all([
      references(opened, spec, symbol),
      references(opened, spec, symbol),
      // A server without support for references does not notice; cached symbols need no server.
      opened.server(file, (server, path) => requestDocumentSymbols(server, path, {})),
    ]);
    expect(again).toBe(after);
    expect(await pidOf()).not.toBe(pid);
    expect(isAlive(pid)).toBe(false);
    return renderSections({ before, after: [after, await overview(opened, file)] });
  });

  ask('shutdown', async (opened) => {
    const pid = await opened.server(file, (server) => server.pid ?? 0);
    if (canListProcesses) expect(findMarked(opened.mark).map((found) => found.pid)).toContain(pid);
    await opened.pool.stopAll();
    expect(isAlive(pid)).toBe(false);
    if (canListProcesses) await untilNoneMarked(opened.mark);
    const refusal = await opened.server(file, () => 'an answer').catch((error: unknown) => error);
    return isExpected(refusal) ? `no process is left\n${refusal.code}: ${refusal.message}` : String(refusal);
  });
}

async function overview(opened: Opened, file: string): Promise<string> {
  const tree = await opened.ask((symbols) => symbols.overview(file));
  return `overview of ${file}\n${renderTree(opened.workspace, tree)}`;
}

async function find(opened: Opened, pattern: string | { readonly part: string }): Promise<string> {
  const isSubstring = typeof pattern !== 'string';
  const text = isSubstring ? pattern.part : pattern;
  const options = { within: '', isSubstring, kinds: { include: [], exclude: [] } };
  const found = await opened.ask((symbols) => symbols.find(text, options));
  return `find ${text}${isSubstring ? ', also as a part of a name' : ''}\n${renderFound(found)}`;
}

async function body(opened: Opened, { namePath, file }: NamedSymbol): Promise<string> {
  const text = await opened.ask(async (symbols) => symbols.body(await symbols.unique(namePath, file)));
  return `body of ${namePath}\n${text}`;
}

async function containing(opened: Opened, place: TextPlace): Promise<string> {
  const { file } = place;
  const text = opened.files.textOf(file);
  const start = at(opened.workspace.read(file), place.at);
  const tree = await opened.ask((symbols) => symbols.overview(file));
  const symbol = referencingSymbol({ file, tree, text }, { start, end: start });
  return `around ${place.at} in ${file}: ${kindName(symbol.kind)} ${namePathOf(symbol)}`;
}

/** Returns the references to a symbol, or the error message of the server's refusal. */
async function references(opened: Opened, spec: ServerSpec, { namePath, file }: NamedSymbol): Promise<string> {
  const uses = orRefusal(spec, async () => renderReferences(await opened.references(namePath, file)));
  return `references to ${namePath} of ${file}\n${await uses}`;
}

/** The methods of the questions, except diagnostics, which some servers publish unrequested. */
const methods = ['documentSymbol', 'definition', 'references', 'implementation', 'rename', 'hover'];

function capabilities(opened: Opened, file: string): Promise<string> {
  return opened.server(file, (server) =>
    methods.map((method) => `${method} ${server.supports(`textDocument/${method}`) ? 'yes' : 'no'}`).join('\n'),
  );
}

/** Returns the implementations of a symbol, or the error message of the server's refusal. */
async function implementation(opened: Opened, spec: ServerSpec, { namePath, file }: NamedSymbol): Promise<string> {
  const options = { include: [], exclude: [] };
  const found = orRefusal(spec, () =>
    opened.ask(async (symbols) =>
      renderFound(await symbols.implementations(await symbols.unique(namePath, file), options)),
    ),
  );
  return `implementations of ${namePath}\n${await found}`;
}

async function diagnostics(opened: Opened, file: string): Promise<string> {
  const { answer, missing } = await opened.askPartly((symbols) => symbols.diagnosticsOfFile(file));
  return [`diagnostics of ${file}`, renderDiagnostics(answer), ...missing.map((gap) => `Incomplete: ${gap}`)].join(
    '\n',
  );
}

async function inTurn<T>(questions: readonly T[], ask: (question: T) => Promise<string>): Promise<string> {
  const answers: string[] = [];
  for (const question of questions) answers.push(await ask(question));
  return answers.join('\n\n');
}
