/** Entry point of the worker threads that read a project's files. */
import { parentPort, workerData } from 'node:worker_threads';
import { whenIdle } from '../base/when-idle.ts';
import { serveRequests } from '../base/worker-protocol.ts';
import { answerScans } from './scan-answers.ts';
import type { ScanOperations } from './scan-protocol.ts';

if (parentPort !== null) {
  const { answer, release } = answerScans(workerData);
  const used = whenIdle(release);
  serveRequests<ScanOperations>(parentPort, (request, onProgress) => {
    used();
    return answer(request, onProgress);
  });
}
