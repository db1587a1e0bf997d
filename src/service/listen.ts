import { randomBytes } from 'node:crypto';
import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { attempt } from '../base/attempt.ts';
import type { CommitReceipt } from '../base/commit-receipt.ts';
import { messageOf, systemCode } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { makePrivateDirectory } from '../base/private-directory.ts';
import { peerOf, peerProblem } from './confinement.ts';
import type { ToolKinds } from './conversation.ts';
import { EditReceipts } from './edit-receipts.ts';
import { isProof, keyBytes, newNonce, nextMessage, proofOf, readKey, sendMessage } from './handshake.ts';
import { privacyProblem, type ServiceAddress } from './service-address.ts';
import { SocketStreams } from './socket-streams.ts';

const handshakeTimeoutMs = 10_000;
const refusalTimeoutMs = 1_000;
const socketCheckMs = 500;

/** A session that the service opens for a client. */
export interface ClientRequest {
  readonly request: Readonly<Record<string, unknown>>;
  readonly pid: number;
  readonly streams: SocketStreams;
  /** Returns what records the commits of the call with this request id. */
  receiptOf(request: string | number): CommitReceipt;
}

export interface ServedSession extends ToolKinds {
  /** Ends the session. Never rejects. */
  close(reason: string): Promise<void>;
}

interface ServiceHandlers {
  /** Opens a session. It must not write before this resolves. @throws the reason why the client is not served. */
  openSession(client: ClientRequest): Promise<ServedSession>;
  /** Answers a command of the user. */
  control(request: Readonly<Record<string, unknown>>): Promise<object>;
  /** Called with the number of clients whenever it changes. */
  onClients(count: number): void;
  /** Called when the files of this service are no longer those that it began with: it must end and write nothing there. */
  onLost(reason: string): void;
}

interface Client {
  readonly socket: Socket;
  readonly receipts: EditReceipts;
  readonly ended: Promise<void>;
}

/** Listens for clients at `address`, whose lock the caller holds. */
export class ServiceListener {
  readonly #address: ServiceAddress;
  readonly #handlers: ServiceHandlers;
  readonly #clients = new Set<Client>();
  readonly #key = randomBytes(keyBytes);
  /** Device and inode of the directories and the lock, as far as they exist. */
  readonly #places = new Map<string, string>();
  #server: Server | undefined;
  #inode: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(address: ServiceAddress, handlers: ServiceHandlers) {
    this.#address = address;
    this.#handlers = handlers;
  }

  /** @throws {Error} if the directory is not private; system errors. */
  async start(): Promise<void> {
    const { directory, secret, receipts } = this.#address;
    const problem = privacyProblem(directory, 'directory');
    if (problem !== undefined) throw new Error(problem);
    rmSync(secret, { force: true });
    writeFileSync(secret, this.#key, { mode: 0o600, flag: 'wx' });
    makePrivateDirectory(receipts);
    // Left behind by a service that was killed together with clients; other clients read theirs.
    for (const name of readdirSync(receipts))
      if (!isOfRunningClient(name)) rmSync(join(receipts, name), { force: true });
    await this.#listen();
    this.#lostPlace();
    this.#timer = setInterval(() => void this.#check(), socketCheckMs);
    this.#timer.unref();
  }

  /** Stops listening and disconnects all clients, which continue their sessions themselves. Never rejects. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#isClosing = true;
    this.#server?.close();
    const clients = [...this.#clients];
    for (const { socket } of clients) socket.destroy();
    await Promise.all(clients.map(({ ended }) => ended));
    for (const path of [this.#address.socket, this.#address.secret]) rmSync(path, { force: true });
  }

  async #listen(): Promise<void> {
    const { socket: path } = this.#address;
    rmSync(path, { force: true });
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => void this.#accept(socket));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    server.on('error', (error) => log('service').error(`cannot listen: ${messageOf(error)}`));
    chmodSync(path, 0o600);
    this.#inode = statSync(path).ino;
  }

  /**
   * Returns the directory or lock that was removed or replaced, or `undefined`. Without its lock another service may start,
   * and a home directory that somebody removes must not come back.
   */
  #lostPlace(): string | undefined {
    const { home, directory, lock, receipts } = this.#address;
    return [home, directory, lock, receipts].find((path) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      const now = stats && `${stats.dev}:${stats.ino}`;
      const known = this.#places.get(path);
      if (known === undefined && now !== undefined) this.#places.set(path, now);
      return known !== undefined && known !== now;
    });
  }

  /** Ends the service if its files were removed. Returns true if so. */
  #endIfLost(): boolean {
    const lost = this.#lostPlace();
    if (lost !== undefined) this.#handlers.onLost(`\`${lost}\` was removed`);
    return lost !== undefined;
  }

  /** Listens again after the socket was removed, and writes the key again. Disconnects clients without receipts. */
  async #check(): Promise<void> {
    const { socket, secret } = this.#address;
    if (this.#inode === undefined || this.#endIfLost()) return;
    // Such a client could edit nothing any more. It connects again.
    for (const client of this.#clients) if (client.receipts.isGone) client.socket.destroy();
    if (statSync(socket, { throwIfNoEntry: false })?.ino === this.#inode && isReadable(secret)) return;
    this.#inode = undefined;
    try {
      log('service').warn('The socket or its key was removed: listening again');
      this.#server?.close();
      rmSync(secret, { force: true });
      writeFileSync(secret, this.#key, { mode: 0o600, flag: 'wx' });
      await this.#listen();
    } catch (error) {
      log('service').error(`cannot listen again: ${messageOf(error)}`);
      this.#inode = -1;
    }
  }

  async #accept(socket: Socket): Promise<void> {
    socket.on('error', (error) => log('service').debug(`connection: ${messageOf(error)}`));
    // The client connects again, to another service.
    if (this.#endIfLost()) return void socket.destroy();
    try {
      const problem = peerProblem(socket);
      if (problem !== undefined) throw new Error(problem);
      const request = await authenticate(socket, this.#key);
      if (request.kind !== 'control') return await this.#serve(socket, request);
      sendMessage(socket, await this.#handlers.control(request));
      socket.end();
    } catch (error) {
      log('service').warn(`Refused a connection: ${messageOf(error)}`);
      refuse(socket, messageOf(error));
    }
  }

  async #serve(socket: Socket, request: Readonly<Record<string, unknown>>): Promise<void> {
    const { pid } = peerOf(socket);
    const receipts = new EditReceipts(join(this.#address.receipts, `${pid}-${randomBytes(12).toString('hex')}`));
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const client = { socket, receipts, ended };
    this.#clients.add(client);
    this.#handlers.onClients(this.#clients.size);
    let session: ServedSession | undefined;
    try {
      const streams = new SocketStreams(socket);
      const receiptOf = (id: string | number) => receipts.receiptOf(id);
      session = await this.#handlers.openSession({ request, pid, streams, receiptOf });
      const { reads, states, edits } = session;
      sendMessage(socket, { reads, states, edits, receipts: receipts.path });
      await streams.run();
      await session.close('the client has disconnected');
      // If this service disconnects, the client reads them. If the client does, it has taken what it needs.
      if (!this.#isClosing) receipts.remove();
      socket.end(() => socket.destroy());
    } catch (error) {
      receipts.remove();
      throw error;
    } finally {
      this.#clients.delete(client);
      this.#handlers.onClients(this.#clients.size);
      end();
    }
  }
}

/** Proves the service to the client and the client to the service, and returns the client's request. */
async function authenticate(socket: Socket, key: Buffer): Promise<Readonly<Record<string, unknown>>> {
  const { hello, nonce } = await nextMessage(socket, handshakeTimeoutMs);
  if (hello !== 1 || typeof nonce !== 'string') throw new Error('it does not speak this protocol');
  const nonces = { client: nonce, service: newNonce() };
  sendMessage(socket, { nonce: nonces.service, proof: proofOf(key, 'service', nonces) });
  const { proof, ...request } = await nextMessage(socket, handshakeTimeoutMs);
  if (!isProof(proof, key, { role: 'client', nonces })) throw new Error('it does not know the key');
  return request;
}

/** Unread bytes would reset the connection before the other end has read why. */
function refuse(socket: Socket, reason: string): void {
  if (socket.destroyed) return;
  socket.resume();
  socket.end(`${JSON.stringify({ refused: reason })}\n`);
  setTimeout(() => socket.destroy(), refusalTimeoutMs).unref();
}

function isReadable(secret: string): boolean {
  return attempt(() => readKey(secret).length === keyBytes, false);
}

/** True for the receipts of a client that runs: their name begins with its process id. */
function isOfRunningClient(name: string): boolean {
  try {
    return process.kill(Number.parseInt(name, 10), 0);
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}
