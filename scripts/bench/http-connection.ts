import { once } from "node:events";
import net from "node:net";

/** A response as the load generator sees it. */
export interface Seen {
  readonly status: number;
  /** Of head and body. */
  readonly bytes: number;
}

const HEAD_END = Buffer.from("\r\n\r\n");

/**
 * An HTTP/1.1 connection that sends prepared requests and only looks for the end of each response. It costs a fraction of
 * what any server does for a response, which Node's own clients do not.
 */
export class HttpConnection {
  readonly #socket: net.Socket;
  #head: Buffer = Buffer.alloc(0);
  #status = 0;
  #bytes = 0;
  /** Bytes of the body that are missing, or of the current chunk and its line end. */
  #missing = 0;
  #isChunked = false;
  /** The begun size line of a chunk. */
  #begun: Buffer = Buffer.alloc(0);
  #waiting: { resolve(seen: Seen): void; reject(error: Error): void } | undefined;

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (part) => this.#read(part));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("the server closed the connection")));
  }

  /** Connects to a server of this machine. */
  static async open(port: number): Promise<HttpConnection> {
    const socket = net.connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new HttpConnection(socket);
  }

  /** Sends a request and resolves when its response has arrived. @throws Error when the connection ends first */
  send(request: string): Promise<Seen> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#head = Buffer.alloc(0);
      this.#status = 0;
      this.#bytes = 0;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }

  #read(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#status > 0) this.#readBody(part);
    else this.#readHead(part);
  }

  #readHead(part: Buffer): void {
    this.#head = this.#head.length === 0 ? part : Buffer.concat([this.#head, part]);
    const end = this.#head.indexOf(HEAD_END);
    if (end < 0) return;
    const head = this.#head.toString("latin1", 0, end);
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#isChunked = length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head);
    this.#missing = Number(length ?? 0);
    this.#begun = Buffer.alloc(0);
    this.#readBody(this.#head.subarray(end + HEAD_END.length));
  }

  #readBody(part: Buffer): void {
    if (!(this.#isChunked ? this.#endsChunks(part) : this.#endsBytes(part))) return;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve({ status: this.#status, bytes: this.#bytes });
  }

  #endsBytes(part: Buffer): boolean {
    this.#missing -= part.length;
    return this.#missing <= 0;
  }

  /** RFC 9112, 7.1, without trailers. */
  #endsChunks(part: Buffer): boolean {
    let rest = this.#begun.length === 0 ? part : Buffer.concat([this.#begun, part]);
    this.#begun = Buffer.alloc(0);
    for (;;) {
      if (this.#missing > rest.length) {
        this.#missing -= rest.length;
        return false;
      }
      rest = rest.subarray(this.#missing);
      this.#missing = 0;
      const end = rest.indexOf("\r\n");
      const size = end < 0 ? Number.NaN : Number.parseInt(rest.toString("latin1", 0, end), 16);
      if (size === 0 && rest.length >= end + 4) return true;
      if (!(size > 0)) {
        this.#begun = rest;
        return false;
      }
      rest = rest.subarray(end + 2);
      this.#missing = size + 2;
    }
  }
}
