import { codeOf } from "./errors";
import type { ProvingTask, WorkerReply } from "./messages";
import { prove } from "./prove";
import { browserStore } from "./store";

/**
 * The worker that makes one proof and is ended by the page. What it may load and reach is said by the policy its file is
 * served with (next.config.ts), not by the page's.
 */

const say = (reply: WorkerReply) => self.postMessage(reply);

self.addEventListener("message", async ({ data }: MessageEvent<ProvingTask>) => {
  try {
    const proved = await prove(data, {
      store: browserStore,
      tell: (progress) => say({ kind: "progress", ...progress }),
    });
    say({ kind: "done", ...proved });
  } catch (error) {
    say({ kind: "failed", code: codeOf(error) });
  }
});
