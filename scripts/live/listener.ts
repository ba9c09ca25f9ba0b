import { once } from "node:events";
import net from "node:net";

/** Returns the mark of a message: `<3 1763786000000.25>` is the fourth message, sent at that time. */
export function marked(n: number, at: number): string {
  return `<${n} ${at}>`;
}

/** An event's id with the mark in its data. JSON keeps `<` and `>` as they are. */
const framePattern = /id: ([\w-]+)\n(?:event: \w+\n)?data: [^\n]*<(\d+) ([\d.]+)>/g;

/**
 * A cheap subscriber: a bare socket that looks for marks in the stream. It checks that every message arrives once and in
 * order, across all its connections.
 */
export class Listener {
  /** Number of the next message. */
  next = 0;
  /** Descriptions of messages that came out of order, twice or not at all. */
  readonly faults: string[] = [];
  readonly latencies: number[] = [];
  lastEventId: string | undefined;
  connections = 0;
  #socket: net.Socket | undefined;
  #rest = "";

  constructor(
    readonly port: number,
    readonly path: string,
    readonly token: string,
  ) {}

  /** Connects. Resolves with the first event after the head. */
  async connect(): Promise<void> {
    this.connections += 1;
    this.#rest = "";
    const socket = net.connect(this.port, "127.0.0.1");
    this.#socket = socket;
    socket.setNoDelay(true);
    const resume = this.lastEventId ? `last-event-id: ${this.lastEventId}\r\n` : "";
    socket.write(
      `GET ${this.path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${this.token}\r\n${resume}\r\n`,
    );
    let head = "";
    while (!head.includes("event: presence")) {
      const [part] = await once(socket, "data");
      head += String(part);
      if (!/^HTTP\/1\.1 200/.test(head)) throw new Error(`refused: ${head.slice(0, 200)}`);
    }
    this.#read(head);
    socket.on("data", (part) => this.#read(part.toString("latin1")));
    socket.on("error", () => undefined);
  }

  /** Drops the connection, as a network does. */
  cut(): void {
    this.#socket?.destroy();
  }

  #read(part: string): void {
    const now = performance.timeOrigin + performance.now();
    const text = this.#rest + part;
    let end = 0;
    for (const found of text.matchAll(framePattern)) {
      const [frame, id, n, at] = found;
      end = found.index + frame.length;
      this.lastEventId = id;
      if (Number(n) !== this.next) this.faults.push(`expected ${this.next}, got ${n}`);
      this.next = Number(n) + 1;
      this.latencies.push(now - Number(at));
    }
    // A frame may continue in the next segment.
    this.#rest = text.slice(Math.max(end, text.lastIndexOf("\n\n")));
  }
}
