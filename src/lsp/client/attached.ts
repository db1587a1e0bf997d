import type { Socket } from 'node:net';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { ServerLink } from './link.ts';

/** Address, on this machine, of a language server that another program runs. */
export interface ServerAddress {
  readonly port: number;
  /** How to start the server, as one sentence without a full stop. */
  readonly hint: string;
}

const host = '127.0.0.1';

/** A connection to a language server that another program runs, such as an editor. */
export class AttachedServer implements ServerLink {
  readonly input: Socket;
  readonly output: Socket;
  readonly exited: Promise<string>;
  readonly pid = undefined;
  readonly isOurs = false;
  readonly stderrTail = '';
  #hasEnded = false;

  private constructor(socket: Socket) {
    this.input = socket;
    this.output = socket;
    socket.on('error', (error) => log('lsp').debug(`Connection to a language server failed: ${messageOf(error)}`));
    this.exited = new Promise((resolve) => {
      socket.once('close', () => {
        this.#hasEnded = true;
        resolve('it closed the connection');
      });
    });
  }

  /**
   * Connects to the server.
   *
   * @throws {ExpectedError} `server.start-failed` when nothing listens at the port.
   */
  static async connect({ port, hint }: ServerAddress): Promise<AttachedServer> {
    // Loaded when needed: most processes never attach to a server.
    const { connect } = await import('node:net');
    const socket = connect({ host, port });
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve);
        socket.once('error', reject);
      });
    } catch (cause) {
      socket.destroy();
      const message = `cannot reach a language server at ${host}:${port}: ${messageOf(cause)}`;
      throw new ExpectedError('server.start-failed', message, { hints: [hint], cause });
    }
    return new AttachedServer(socket);
  }

  get isRunning(): boolean {
    return !this.#hasEnded;
  }

  async kill(): Promise<void> {
    this.input.destroy();
    await this.exited;
  }
}
