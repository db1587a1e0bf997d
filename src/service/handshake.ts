import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Socket } from 'node:net';
import { parseBoundedJson } from '../base/bounded-json.ts';

/** Bytes of the key and of a nonce. */
export const keyBytes = 32;
/** Far longer than any message of the handshake: one contains an environment. */
const maxMessageBytes = 4 * 1024 * 1024;
/** Values of a message: an environment has one for each variable. */
const maxValues = 50_000;
const lineEnd = 0x0a;

/** The end of a connection that proves that it knows the key. */
type Role = 'service' | 'client';

/** The nonces of both ends. */
interface Nonces {
  readonly client: string;
  readonly service: string;
}

/** Returns a new nonce. */
export function newNonce(): string {
  return randomBytes(keyBytes).toString('hex');
}

/** Returns the proof that `role` knows the key; it is valid for one connection. */
export function proofOf(key: Buffer, role: Role, { client, service }: Nonces): string {
  return createHmac('sha256', key).update(`${role}\0${client}\0${service}`).digest('hex');
}

/** True if `sent` is the proof of `role`. */
export function isProof(sent: unknown, key: Buffer, of: { role: Role; nonces: Nonces }): boolean {
  if (typeof sent !== 'string') return false;
  const [given, expected] = [Buffer.from(sent), Buffer.from(proofOf(key, of.role, of.nonces))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Reads the key at an absolute path.
 *
 * @throws {Error} if it is a link, has another size, or others than the user can read it; system errors.
 */
export function readKey(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    const isPrivate = stats.isFile() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
    if (!isPrivate || stats.size !== keyBytes) throw new Error(`\`${path}\` is not a private key file`);
    const key = Buffer.alloc(keyBytes);
    readSync(file, key);
    return key;
  } finally {
    closeSync(file);
  }
}

/** The other end closed the connection before it sent a message. */
export class ConnectionClosed extends Error {}

/** The other end did not answer in time. */
export class NoAnswer extends Error {}

export function sendMessage(socket: Socket, message: object): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

/**
 * Returns the next message of the handshake, of which neither end sends a second one before the answer.
 *
 * @throws {Error} if the connection ends, after `timeoutMs`, and for anything but one JSON object.
 */
export function nextMessage(socket: Socket, timeoutMs: number): Promise<Readonly<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      socket.pause();
      socket.off('data', onData).off('close', onEnd).off('end', onEnd).off('error', onError);
      outcome();
    };
    const onEnd = () => settle(() => reject(new ConnectionClosed('the connection was closed')));
    const onError = (error: Error) => settle(() => reject(error));
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxMessageBytes) return settle(() => reject(new Error('a message is too long')));
      // Decoded as a whole: a character may begin in one chunk and end in the next.
      if (chunk.at(-1) === lineEnd)
        settle(() => resolveParsed(Buffer.concat(chunks).toString('utf8'), { resolve, reject }));
    };
    const timer = setTimeout(() => settle(() => reject(new NoAnswer(`no answer in ${timeoutMs} ms`))), timeoutMs);
    socket.on('data', onData).on('close', onEnd).on('end', onEnd).on('error', onError);
    socket.resume();
  });
}

function resolveParsed(
  text: string,
  { resolve, reject }: { resolve(value: Readonly<Record<string, unknown>>): void; reject(error: unknown): void },
): void {
  try {
    resolve(Object(parseBoundedJson(text, { values: maxValues })));
  } catch (error) {
    reject(error);
  }
}
