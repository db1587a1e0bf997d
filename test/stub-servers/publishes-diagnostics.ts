// usage: bun test/stub-servers/publishes-diagnostics.ts [delay=0] [parts=0] [version=current|none|older-first]
//   [unchanged=ignored] [faulty=answered|unanswered]
// Publishes diagnostics for each text that it receives, after `delay` milliseconds or, with `delay=never`, not at all.
// With `parts` it publishes the first diagnostic at once and all of them that many milliseconds later; `version=none`
// omits the version; `version=older-first` first publishes an empty list for the previous version. With
// `unchanged=ignored` it publishes nothing for a text that it receives again; with `faulty=unanswered` it never answers
// which symbols a text with a fault has.
import { setTimeout as pause } from 'node:timers/promises';
import { faultsIn, onText, type SentDocument } from './faults.ts';
import { argument, serveStub } from './stub.ts';

const delay = argument('delay', '0');
const partsMs = Number(argument('parts', '0'));
const versions = argument('version', 'current');

const ignoresUnchanged = argument('unchanged', '') === 'ignored';
const texts = new Map<string, string>();

const faulty = new Set<string>();

const rpc = serveStub({
  isSilent: true,
  notifications: onText((document) => void publish(document)),
  late: argument('faulty', '') === 'unanswered' ? { 'textDocument/documentSymbol': unlessFaulty } : {},
});

function unlessFaulty(params: unknown): Promise<void> | undefined {
  return faulty.has(Object(params).textDocument.uri) ? new Promise(() => undefined) : undefined;
}

async function publish({ uri, version, text }: SentDocument): Promise<void> {
  if (delay === 'never' || (ignoresUnchanged && texts.get(uri) === text)) return;
  texts.set(uri, text);
  if (versions === 'older-first') await send({ uri, version: version - 1, diagnostics: [] });
  await pause(Number(delay));
  const named = versions === 'none' ? { uri } : { uri, version };
  const diagnostics = faultsIn(text);
  if (diagnostics.length > 0) faulty.add(uri);
  if (partsMs > 0) {
    await send({ ...named, diagnostics: diagnostics.slice(0, 1) });
    await pause(partsMs);
  }
  await send({ ...named, diagnostics });
}

function send(params: object): Promise<void> {
  return rpc.sendNotification('textDocument/publishDiagnostics', params);
}
