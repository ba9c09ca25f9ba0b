import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** What stands between buyer and prover, and loses answers to paid requests. */
export interface CuttingProxy {
  url: string;
  /** Cuts the connection after so many bytes of the next answer to a paid request; undefined lets all through. */
  cutAfter: number | undefined;
  /** Bytes of the last answer to a paid request that passed. */
  answered: number;
  close(): Promise<void>;
}

/** Starts one at a free port. It reads bytes, not HTTP, so that an answer may end anywhere. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const server = createServer((buyer) => {
    const prover = connect(Number(port), hostname);
    open.add(buyer).add(prover);
    let isPaid = false;
    buyer.on("data", (bytes) => {
      // A request's headers come in one piece on one machine.
      if (/^POST /.test(bytes.toString("latin1", 0, 5))) {
        isPaid = /\r\npayment-signature:/i.test(bytes.toString("latin1"));
        proxy.answered = 0;
      }
      prover.write(bytes);
    });
    prover.on("data", (bytes) => {
      if (!isPaid) {
        buyer.write(bytes);
        return;
      }
      const before = proxy.answered;
      proxy.answered += bytes.length;
      const { cutAfter } = proxy;
      if (cutAfter === undefined || proxy.answered <= cutAfter) {
        buyer.write(bytes);
        return;
      }
      prover.destroy();
      buyer.end(bytes.subarray(0, cutAfter - before));
    });
    for (const [one, other] of [
      [buyer, prover],
      [prover, buyer],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.end();
      });
    }
  });
  const proxy: CuttingProxy = {
    url: "",
    cutAfter: undefined,
    answered: 0,
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, "close");
    },
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  proxy.url = `http://127.0.0.1:${address.port}`;
  return proxy;
}
