// After random sessions of edits, by the client and by others, every answer is that of a fresh server on the final text.

import { describe, expect, setDefaultTimeout } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientCapabilities, Location } from 'vscode-languageserver-protocol';
import { LspClient } from '../../support/lsp-client.ts';
import { rounds } from '../../support/rounds.ts';
import { testUnless } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace, Workspace } from '../../support/workspace.ts';
import { answerOf, editsOf, placeAt, RandomEditor } from './editor.ts';
import { type RandomProject, randomProjects } from './projects.ts';
import { type RandomSession, randomSessions } from './steps.ts';

setDefaultTimeout(600_000);

/** Sessions that one client has, one after the other, and such clients; 1,000 sessions in all in a full run. */
const sessionsOf = rounds({ Python: 2, TypeScript: 2, Go: 4 }, { Python: 10, TypeScript: 10, Go: 28 });
const clientsOf = rounds({ Python: 1, TypeScript: 1, Go: 1 }, { Python: 10, TypeScript: 6, Go: 30 });

/** How long to wait for a server that is not ready, or that completes what it finds in a tenth of a second. */
const improvingMs = 15_000;

const unicode = /[\p{L}_][\p{L}\p{N}_]*/gu;

function capabilities(positionEncodings: string[]): ClientCapabilities {
  return {
    general: { positionEncodings },
    workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ['rename'] } },
    textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true }, diagnostic: {} },
  };
}

/** Every client must accept UTF-16, also one that prefers UTF-8. */
const encodings = [['utf-16'], ['utf-8', 'utf-16'], ['utf-8', 'utf-32', 'utf-16'], ['utf-8']];

for (const language of ['Python', 'TypeScript', 'Go'] as const) {
  const project: RandomProject = randomProjects[language];
  const randomTest = testUnless(project.whyNot);
  describe(`random sessions in ${language}`, () => {
    for (let seed = 1; seed <= clientsOf[language]; seed++)
      randomTest(`of client ${seed}`, () => runSessions(project, seed, sessionsOf[language]));
  });
}

async function runSessions(project: RandomProject, seed: number, count: number): Promise<void> {
  const workspace = makeWorkspace(project.files);
  const offered = capabilities(encodings[seed % encodings.length] ?? []);
  await using client = await LspClient.start(workspace, { capabilities: offered });
  const differences: Difference[] = [];
  for (const [index, session] of randomSessions(seed, count).entries()) {
    workspace.replace(project.files);
    const editor = new RandomEditor(client, workspace, project);
    for (const step of session.steps) await editor.do(step);
    for (const file of editor.files) if (project.parses?.(editor.textOf(file)) === false) await editor.restore(file);
    if (session.isSaved || project.reloads) for (const file of editor.unsaved) await editor.save(file);
    await using fresh = await startFresh(editor, workspace, project);
    for (const question of questions(editor, session)) {
      const patienceMs = question.mayImprove || project.reloads ? improvingMs : 0;
      const difference = await differenceIn(question, { client, fresh, patienceMs });
      const texts = Object.fromEntries(editor.files.map((file) => [file, editor.textOf(file)]));
      if (difference !== undefined) differences.push({ index, ...difference, unsaved: editor.unsaved, texts });
    }
    for (const file of [...editor.open.keys()]) await editor.close(file);
  }
  expect(differences).toEqual([]);
}

/** Answers that differ, and the texts that they are about. */
interface Difference {
  readonly index: number;
  readonly question: string;
  readonly got: readonly string[];
  readonly wanted: readonly string[];
  readonly unsaved: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
}

/** Starts a server on a copy of the project, with the same unsaved documents. */
async function startFresh(editor: RandomEditor, workspace: Workspace, project: RandomProject): Promise<LspClient> {
  const copy = new Workspace(join(makeTempDir(), 'project'));
  cpSync(workspace.root, copy.root, { recursive: true, filter: (path) => !path.endsWith('.serena') });
  const fresh = await LspClient.start(copy);
  for (const file of editor.unsaved) await fresh.open(file, project.languageId, editor.textOf(file));
  return fresh;
}

interface Question {
  readonly question: string;
  /** True for an answer that a language server gives before it is ready. */
  readonly mayImprove?: true;
  /** Returns the answer as lines that do not depend on where the project is. */
  ask(client: LspClient): Promise<readonly string[]>;
}

/** Asks both servers, and returns what one of them answers alone; `undefined` if there is nothing. */
async function differenceIn(
  { question, ask }: Question,
  { client, fresh, patienceMs }: { readonly client: LspClient; readonly fresh: LspClient; readonly patienceMs: number },
) {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const [got, wanted] = await Promise.all([ask(client), ask(fresh)]);
    const [more, less] = [got.filter((line) => !wanted.includes(line)), wanted.filter((line) => !got.includes(line))];
    if (more.length + less.length === 0) return undefined;
    if (Date.now() >= deadline) return { question, got: more, wanted: less };
  }
}

/** Returns the questions about the final texts of a session. */
function questions(editor: RandomEditor, { picks }: RandomSession): Question[] {
  const { files } = editor;
  const ofNames = picks.flatMap((pick) => {
    const file = files[pick % files.length] ?? '';
    const text = editor.textOf(file);
    const words = [...text.matchAll(unicode)];
    const word = words[(pick * 7) % (words.length || 1)];
    return word === undefined ? [] : questionsOfName(editor, { file, text, index: word.index, name: word[0] });
  });
  return [
    ...ofNames,
    ...files.flatMap((file): Question[] => [
      { question: `problems of ${file}`, ask: (client) => problemsOf(client, file) },
      { question: `symbols of ${file}`, mayImprove: true, ask: (client) => symbolsOf(client, file) },
    ]),
  ];
}

function questionsOfName(
  editor: RandomEditor,
  { file, text, index, name }: Readonly<Record<'file' | 'text' | 'name', string>> & { readonly index: number },
): Question[] {
  const position = placeAt(text, index);
  const at = (client: LspClient) => ({ ...client.document(file), position });
  const end = (client: LspClient) => ({ ...client.document(file), position: placeAt(text, index + name.length) });
  const place = `${name} in ${file}:${position.line + 1}:${position.character}`;
  return [
    { question: `references of ${place}`, ask: (client) => referencesAt(client, at(client)) },
    { question: `rename of ${place}`, ask: (client) => renameAt(client, at(client)) },
    {
      question: `completion of ${place}`,
      mayImprove: true,
      ask: (client) => completionsAt(client, editor, end(client)),
    },
  ];
}

async function referencesAt(client: LspClient, at: object): Promise<string[]> {
  const params = { ...at, context: { includeDeclaration: true } };
  const found = await answerOf(client.ask<Location[] | null>('textDocument/references', params));
  if (typeof found === 'string' || found === null) return [shown(client, found)];
  return found.map(({ uri, range }) => `${client.fileOf(uri)}:${JSON.stringify(range)}`).sort();
}

async function renameAt(client: LspClient, at: object): Promise<string[]> {
  const edit = await answerOf(client.ask<object | null>('textDocument/rename', { ...at, newName: 'NewestName' }));
  if (typeof edit === 'string' || edit === null) return [shown(client, edit)];
  const edits = Object.entries(editsOf(client, edit));
  return edits
    .map(
      ([file, own]) =>
        `${file}: ${own
          .map((one) => JSON.stringify(one))
          .sort()
          .join(' ')}`,
    )
    .sort();
}

/** Only names of the project: gopls proposes as many other packages as it finds in a tenth of a second. */
async function completionsAt(client: LspClient, editor: RandomEditor, at: object): Promise<string[]> {
  const list = await answerOf(client.ask<object | null>('textDocument/completion', at));
  if (typeof list === 'string' || list === null) return [shown(client, list)];
  const items: { label: string }[] = Array.isArray(list) ? list : Object(list).items;
  const names = new Set(editor.files.flatMap((file) => editor.textOf(file).match(unicode) ?? []));
  return items.flatMap(({ label }) => (names.has(label) ? [label] : [])).sort();
}

/** Without the problems of `go list`, which gopls runs when it starts, and after some changes only. */
async function problemsOf(client: LspClient, file: string): Promise<string[]> {
  const answer = await answerOf(client.ask<{ items: object[] }>('textDocument/diagnostic', client.document(file)));
  if (typeof answer === 'string') return [shown(client, answer)];
  return answer.items
    .filter((item) => Object(item).source !== 'go list')
    .map((item) => shown(client, JSON.stringify(item)))
    .sort();
}

async function symbolsOf(client: LspClient, file: string): Promise<string[]> {
  const answer = await answerOf(client.ask('textDocument/documentSymbol', client.document(file)));
  return Array.isArray(answer) ? answer.map((symbol) => JSON.stringify(symbol)) : [JSON.stringify(answer)];
}

/** Returns a text that does not depend on where the project is. */
function shown(client: LspClient, text: string | null): string {
  return (text ?? 'null').replaceAll(client.root, '');
}
