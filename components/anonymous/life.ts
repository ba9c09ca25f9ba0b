import { rearm } from "@/lib/client/anonymous/entries";
import { sendDue } from "@/lib/client/anonymous/outbox";
import { watchAnonymous } from "@/lib/client/anonymous/store";
import { parts } from "./parts";

/** After an unexpected failure. Milliseconds. */
const RETRY_MS = 60_000;

let begun: { readonly userId: string; readonly stop: () => void } | undefined;

/** Sends what a user wrote without a name, each at its moment, as long as the page is open. @returns stop */
export function beginAnonymous(userId: string): () => void {
  if (begun?.userId === userId) return begun.stop;
  begun?.stop();
  const end = begin(userId);
  const stop = () => {
    begun = undefined;
    end();
  };
  begun = { userId, stop };
  return stop;
}

function begin(userId: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isStopped = false;
  const wait = (ms: number) => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(() => void run(), Math.max(ms, 0));
  };
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    const next = await sendDue(userId, parts).catch(() => Date.now() + RETRY_MS);
    isRunning = false;
    if (next !== null) wait(next - Date.now());
  };
  // Something was written, hurried or discarded, here or in another tab.
  const unwatch = watchAnonymous(() => {
    if (!isRunning) wait(0);
  });
  void rearm(userId, parts).then(run, () => undefined);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    unwatch();
  };
}
