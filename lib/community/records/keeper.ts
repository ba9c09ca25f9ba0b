import type { Context } from "@/lib/context";
import { settleRecord } from "./settle";

const everyMs = 10_000;

/**
 * Looks after records that are under way, of this process and of those that died, at once and every ten seconds. The
 * timer does not keep the process alive.
 * @returns what stops it
 */
export function startRecordKeeper(ctx: Pick<Context, "db" | "live" | "recorder" | "now">): () => void {
  const { recorder } = ctx;
  if (!recorder) return () => undefined;
  let sweeping = false;
  const sweep = () => {
    if (sweeping) return;
    sweeping = true;
    void sweepRecords(ctx).finally(() => {
      sweeping = false;
    });
  };
  sweep();
  const timer = setInterval(sweep, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Settles what is mined and sends what is not again, once. Does not throw. */
export async function sweepRecords(ctx: Pick<Context, "db" | "live" | "recorder" | "now">): Promise<void> {
  await ctx.recorder?.sender.sweep((mined) => settleRecord(ctx, mined));
}
