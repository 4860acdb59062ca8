import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

/** A way to a TCP service that can be shut, as when the service or the network is away, and opened again on the same port. */
export class TcpGate {
  /** The target's URL, but through the gate. */
  readonly url: string;
  readonly #target: URL;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #server: Server;

  private constructor(target: URL, server: Server) {
    this.#target = target;
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    const url = new URL(target);
    url.hostname = '127.0.0.1';
    url.port = String(this.#port);
    this.url = url.href;
    server.on('connection', (socket) => this.#pass(socket));
  }

  static async before(url: string): Promise<TcpGate> {
    return new TcpGate(new URL(url), await listen(0));
  }

  /** Cuts every connection and refuses new ones. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
  /** Lets connections through again. */
  async open(): Promise<void> {
    this.#server = await listen(this.#port);
    this.#server.on('connection', (socket) => this.#pass(socket));
  }
  async end(): Promise<void> {
    if (this.#server.listening) await this.close();
  }

  #pass(near: Socket): void {
    const far = connect(Number(this.#target.port), this.#target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
