import { messageOf } from '../base/errors.ts';
import { ScriptEngine } from './script-engine.ts';
import {
  readMessages,
  type ScriptLimits,
  type ScriptRequest,
  type ScriptResponse,
  writeMessage,
} from './script-protocol.ts';

/**
 * Runs the scripts of one session in this process: reads requests from stdin and writes responses to stdout, a line of JSON
 * each. `limits` is the JSON of their limits. Resolves when stdin ends.
 */
export async function serveScripts(limits: string): Promise<void> {
  const send = (response: ScriptResponse) => writeMessage(process.stdout, response);
  const ended = Promise.withResolvers<void>();
  process.stdin.once('end', ended.resolve);
  const fail = (error: unknown) => {
    send({ kind: 'stopped', reason: 'engine', message: messageOf(error), printed: '', droppedChars: 0 });
  };
  const parsed: ScriptLimits = JSON.parse(limits);
  const engine = ScriptEngine.create(parsed, send);
  engine.then(() => send({ kind: 'handled' }), fail);
  readMessages(process.stdin, (line) => {
    const request: ScriptRequest = JSON.parse(line);
    const handle = (started: ScriptEngine) => {
      if (request.kind === 'run') started.run(request.source);
      else started.answer(request.id, request.isOk, request.json);
      send({ kind: 'handled' });
    };
    engine.then(handle).catch(fail);
  });
  await ended.promise;
}
