/** Entry point of the worker threads that read a project's files. */
import { parentPort, workerData } from 'node:worker_threads';
import { serveScans } from './scan-server.ts';

if (parentPort !== null) serveScans(parentPort, workerData);
