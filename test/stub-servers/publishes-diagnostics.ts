// usage: bun test/stub-servers/publishes-diagnostics.ts [delay=0] [parts=0] [version=current|none|older-first]
//   [unchanged=ignored]
// Publishes the faults of each text it is sent, after `delay` milliseconds or `never`. With `parts` it publishes the
// first of them at once and all of them so many milliseconds later; with `version` it leaves the version out, or tells
// first that the version before was clean. With `unchanged=ignored` it publishes nothing about a text that it is sent again.
import { setTimeout as pause } from 'node:timers/promises';
import { faultsIn, onText, type SentDocument } from './faults.ts';
import { argument, serveStub } from './stub.ts';

const delay = argument('delay', '0');
const partsMs = Number(argument('parts', '0'));
const versions = argument('version', 'current');

const ignoresUnchanged = argument('unchanged', '') === 'ignored';
const texts = new Map<string, string>();

const rpc = serveStub({ notifications: onText((document) => void publish(document)) });

async function publish({ uri, version, text }: SentDocument): Promise<void> {
  if (delay === 'never' || (ignoresUnchanged && texts.get(uri) === text)) return;
  texts.set(uri, text);
  if (versions === 'older-first') await send({ uri, version: version - 1, diagnostics: [] });
  await pause(Number(delay));
  const named = versions === 'none' ? { uri } : { uri, version };
  const diagnostics = faultsIn(text);
  if (partsMs > 0) {
    await send({ ...named, diagnostics: diagnostics.slice(0, 1) });
    await pause(partsMs);
  }
  await send({ ...named, diagnostics });
}

function send(params: object): Promise<void> {
  return rpc.sendNotification('textDocument/publishDiagnostics', params);
}
