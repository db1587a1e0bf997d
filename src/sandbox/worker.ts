/** Entry point of the worker thread that runs the scripts of one session. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../base/errors.ts';
import { ScriptEngine } from './script-engine.ts';
import type { ScriptLimits, ScriptRequest, ScriptResponse } from './script-protocol.ts';

if (parentPort !== null) serve(parentPort, workerData);

/** Handles the requests that arrive at `port`; the engine starts with the first one. */
function serve(port: MessagePort, limits: ScriptLimits): void {
  const send = (response: ScriptResponse) => port.postMessage(response);
  const engine = ScriptEngine.create(limits, send);
  const fail = (error: unknown) => {
    send({ kind: 'stopped', reason: 'engine', message: messageOf(error), printed: '', droppedChars: 0 });
  };
  port.on('message', (request: ScriptRequest) => {
    const handle = (started: ScriptEngine) => {
      if (request.kind === 'run') started.run(request.source);
      else started.answer(request.id, request.isOk, request.json);
    };
    engine.then(handle).catch(fail);
  });
}
