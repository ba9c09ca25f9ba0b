import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { powersOfTau } from "./srs-points";

/** Worker thread: computes one share of the development SRS. See srs.ts. */
const { tau, from, count } = z
  .object({ tau: z.bigint(), from: z.number().int(), count: z.number().int() })
  .parse(workerData);

const points = powersOfTau(tau, from, count, (done) => parentPort?.postMessage({ done }));
parentPort?.postMessage({ points });
