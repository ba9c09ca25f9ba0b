import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { portOf } from "@/lib/testing/port";
import { appOrigin } from "./installation";

/** The app behind a connection that can be cut, under an address of its own. */
export interface Relay {
  readonly url: string;
  /** Request lines since the server went away. */
  readonly asked: readonly string[];
  /** The server is gone: connections end, new ones get no answer. */
  go(): void;
  come(): void;
  close(): Promise<void>;
}

export async function relayToApp(): Promise<Relay> {
  const { hostname, port } = new URL(appOrigin);
  const open = new Set<Socket>();
  const asked: string[] = [];
  let isGone = false;
  const server = createServer((client) => {
    open.add(client);
    client.on("close", () => open.delete(client)).on("error", () => undefined);
    if (isGone) {
      // The request is read, so that it can be counted.
      client.once("data", (head) => {
        asked.push(head.toString("latin1").split("\r\n")[0] ?? "");
        client.destroy();
      });
      return;
    }
    const app = connect(Number(port), hostname);
    app.on("error", () => client.destroy());
    client.pipe(app).pipe(client);
    client.on("close", () => app.destroy());
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  return {
    url: `http://localhost:${portOf(server)}`,
    asked,
    go() {
      isGone = true;
      for (const socket of open) socket.destroy();
    },
    come() {
      isGone = false;
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
