import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A proxy on loopback that forwards connections (`CONNECT`) of clients with the password, and does nothing else. */
export class ConnectProxy {
  /** The requested targets, as `host:port`. */
  readonly asked: string[] = [];
  /** Replaces targets, by host name. */
  readonly ports = new Map<string, number>();
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor() {
    this.#server = createServer((_request, response) => response.writeHead(403).end('only CONNECT'));
    this.#server.on('connect', (request, socket) => {
      const wanted = `Basic ${btoa('me:secret')}`;
      this.asked.push(request.url ?? '');
      if (request.headers['proxy-authorization'] !== wanted) {
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
        return;
      }
      const [host = '', port] = (request.url ?? '').split(':');
      const onward = connect(this.ports.get(host) ?? Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      for (const end of [socket, onward]) end.on('error', () => undefined);
      this.#sockets.add(onward);
    });
  }

  static async start(): Promise<ConnectProxy> {
    const proxy = new ConnectProxy();
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  url(password = 'secret'): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy does not listen');
    return `http://me:${password}@127.0.0.1:${address.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
