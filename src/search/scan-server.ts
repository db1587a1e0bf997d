import type { MessagePort } from 'node:worker_threads';
import { answerScans } from './scan-answers.ts';
import type { ScanRequest, ScanResponse, ScanSetup } from './scan-protocol.ts';

/** Says that it is ready, then answers the questions that arrive at `port`, one after the other. */
export function serveScans(port: MessagePort, setup: ScanSetup): void {
  const answer = answerScans(setup);
  const send = (response: ScanResponse) => port.postMessage(response);
  port.on('message', (request: ScanRequest) => send(answer(request)));
  send({ isReady: true });
}
