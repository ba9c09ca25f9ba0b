import net from "node:net";
import pg from "pg";

/** So many that a slow read seldom has others behind it, and so few that reads meet on them. */
const CONNECTIONS = 4;

/**
 * A few connections that all reads outside of transactions share. They send a read without waiting for the answers to those
 * before it (pipelining), and everything of one round of the event loop as one piece: system calls cost more than most
 * other things a request does.
 *
 * PostgreSQL answers the reads of a connection one after the other. So only reads that are short and wait for no lock
 * belong here.
 */
export class PipelinedReads {
  readonly #connections: readonly Connection[];

  constructor(config: pg.ClientConfig) {
    this.#connections = Array.from({ length: CONNECTIONS }, () => new Connection(config));
  }

  /** Runs a statement on the connection with the fewest open ones. @throws what `query` of a `pg` client throws */
  query(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const free = this.#connections.reduce((best, one) => (one.open < best.open ? one : best));
    return free.query(statement);
  }

  /** Waits for open reads and ends the connections. */
  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}

class Connection {
  /** Reads without an answer. */
  open = 0;
  readonly #config: pg.ClientConfig;
  #client: Promise<pg.Client> | undefined;
  #socket = new net.Socket();
  #isCorked = false;

  constructor(config: pg.ClientConfig) {
    this.#config = config;
  }

  async query(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    // A connection that nobody waits for does not keep the process alive.
    if (this.open === 0) this.#socket.ref();
    this.open += 1;
    try {
      this.#client ??= this.#connect();
      const client = await this.#client;
      this.#hold();
      return await client.query(statement);
    } finally {
      this.open -= 1;
      if (this.open === 0) this.#socket.unref();
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }

  async #connect(): Promise<pg.Client> {
    const socket = new net.Socket();
    this.#socket = socket;
    const client = new pg.Client({ ...this.#config, pipeline: true, stream: () => socket });
    // The next read connects again.
    const forget = () => {
      if (this.#socket === socket) this.#client = undefined;
    };
    client.once("end", forget);
    // Open reads fail with the same error; without a listener it would end the process.
    client.on("error", forget);
    try {
      await client.connect();
    } catch (error) {
      forget();
      throw error;
    }
    return client;
  }

  /** Keeps what is written from now on until the current round of the event loop ends. */
  #hold(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const socket = this.#socket;
    socket.cork();
    setImmediate(() => {
      this.#isCorked = false;
      socket.uncork();
    });
  }
}
