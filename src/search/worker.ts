/** Entry point of the worker threads that read a project's files. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { whenIdle } from '../base/when-idle.ts';
import { answerScans } from './scan-answers.ts';
import type { ScanRequest, ScanResponse, ScanSetup } from './scan-protocol.ts';

if (parentPort !== null) serveScans(parentPort, workerData);

/** Reports that the worker is ready, then handles the requests that arrive at `port`, one at a time. */
function serveScans(port: MessagePort, setup: ScanSetup): void {
  const send = (response: ScanResponse) => port.postMessage(response);
  const { answer, release } = answerScans(setup, send);
  const used = whenIdle(release);
  port.on('message', (request: ScanRequest) => {
    send(answer(request));
    used();
  });
  send({ isReady: true });
}
