import { readFileSync, readlinkSync } from 'node:fs';
import { pause } from '../base/deadline.ts';
import { glibc, loadLibc, musl } from '../base/libc.ts';
import { isProcessAlive } from '../base/process/is-process-alive.ts';
import { peerOf } from './confinement.ts';
import { openSocket } from './connect.ts';
import { privacyProblem, type ServiceAddress } from './service-address.ts';

const termTimeoutMs = 2_000;
const killTimeoutMs = 5_000;
const pollMs = 20;

/**
 * Returns the process id of the service that listens at `address`, even if it does not answer; `undefined` if there is
 * none. The kernel names the process that listens, and a service runs `program`.
 */
export async function listeningProcess(address: ServiceAddress, program: string): Promise<number | undefined> {
  if (privacyProblem(address.directory, 'directory') !== undefined) return undefined;
  const socket = await openSocket(address.socket);
  try {
    const peer = socket && peerOf(socket);
    return peer && peer.uid === process.getuid?.() && isService(peer.pid, program) ? peer.pid : undefined;
  } catch {
    return undefined;
  } finally {
    socket?.destroy();
  }
}

/** True if a process runs `program` as a service. */
function isService(pid: number, program: string): boolean {
  try {
    // The program may have been replaced by another build since.
    const runs = readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
    return runs === program && /\0service\0run\0$/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

/** Ends a service by signals, the last of which it cannot ignore. Returns false if it still runs. */
export async function endService(pid: number, program: string): Promise<boolean> {
  for (const [signal, timeoutMs] of [
    ['SIGTERM', termTimeoutMs],
    ['SIGKILL', killTimeoutMs],
  ] as const) {
    // The id may belong to another process by now.
    if (!isService(pid, program)) return true;
    process.kill(pid, signal);
    const deadline = performance.now() + timeoutMs;
    while (isProcessAlive(pid) && performance.now() < deadline) await pause(pollMs);
  }
  return !isProcessAlive(pid);
}

/** Clients give a service up after some seconds without an answer. */
const defaultSeconds = 30;
const beatMs = 1_000;

/**
 * Makes the kernel end this process when its event loop has not turned for half a minute: it then serves nobody, and
 * signals have no effect, because their handlers wait for the loop. The default action of SIGALRM needs no handler.
 */
export function endIfHung(seconds = defaultSeconds): void {
  const alarm = loadLibc({ alarm: { args: ['u32'], returns: 'u32' } }, [glibc, musl])?.alarm;
  if (alarm === undefined) return;
  alarm(seconds);
  setInterval(() => alarm(seconds), beatMs).unref();
}
