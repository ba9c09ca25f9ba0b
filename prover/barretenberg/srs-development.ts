import { availableParallelism } from "node:os";
import { z } from "zod";
import { developmentG2, developmentTau, G1_BYTES } from "./srs-points";
import type { OnProgress } from "./types";
import { runWorker } from "./worker";

const Message = z.union([z.object({ done: z.number() }), z.object({ points: z.instanceof(Uint8Array) })]);

/**
 * The development SRS: `points` powers of a tau that everyone knows, as the two files bb reads. Computed on
 * all cores, about 50 µs a point and core.
 *
 * @returns g1 (64 bytes a point) and g2 (128 bytes). The same for everyone: only `points` matters.
 */
export async function generateDevelopmentSrs(
  points: number,
  onProgress: OnProgress = () => {},
): Promise<{ g1: Uint8Array; g2: Uint8Array }> {
  const tau = developmentTau();
  const started = performance.now();
  // A worker takes half a second to start: not worth it for a few points.
  const shares = Math.max(1, Math.min(availableParallelism(), Math.floor(points / 8192)));
  const done = new Array<number>(shares).fill(0);
  const report = () => {
    const fraction = done.reduce((sum, value) => sum + value, 0) / points;
    const elapsed = performance.now() - started;
    onProgress({
      step: "development-srs",
      fraction,
      etaMs: fraction > 0 ? Math.round((elapsed * (1 - fraction)) / fraction) : undefined,
    });
  };

  const g1 = new Uint8Array(points * G1_BYTES);
  await Promise.all(
    done.map(async (_, share) => {
      const from = Math.floor((points * share) / shares);
      const count = Math.floor((points * (share + 1)) / shares) - from;
      const result = await runWorker("srs-worker", { tau, from, count }, (value) => {
        const message = Message.parse(value);
        if (!("done" in message)) return;
        done[share] = message.done;
        report();
      });
      const message = Message.parse(result);
      if (!("points" in message)) throw new Error("development SRS: a worker ended early");
      g1.set(message.points, from * G1_BYTES);
    }),
  );
  return { g1, g2: developmentG2() };
}
