/**
 * Whether this site's server can be reached, found out by asking it. `navigator.onLine` is a hint to ask and nothing more:
 * it is true behind a captive portal and while the server is down, and browsers differ on what it says of a page that
 * came from a copy. Everything on a page that waits for the server waits for this one, so a tab whose server is gone
 * sends few requests, however much it has open.
 */

export type ReachState =
  /** Not asked yet. */
  | "unknown"
  | "reachable"
  /** The server did not answer; it is asked again until it does. */
  | "lost";

/** Milliseconds. */
interface ReachTiming {
  /** Before the second question; doubled for each further one, up to `longestDelay`. Each is varied by half of itself. */
  readonly firstDelay: number;
  readonly longestDelay: number;
  /** Between two questions at least, whatever happens meanwhile. */
  readonly gap: number;
}

const usualTiming: ReachTiming = { firstDelay: 2_000, longestDelay: 30_000, gap: 8_000 };
const patience = 10_000;

export interface ReachOptions {
  /** Asks the server; false or a rejection when it is not there. */
  readonly ask: () => Promise<boolean>;
  /** Nobody looks: questions wait. */
  readonly isHidden?: () => boolean;
  readonly timing?: Partial<ReachTiming>;
  readonly random?: () => number;
}

export class Reach {
  private known: ReachState = "unknown";
  private readonly watchers = new Set<() => void>();
  private readonly timing: ReachTiming;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private due = Number.POSITIVE_INFINITY;
  private askedAt = Number.NEGATIVE_INFINITY;
  private failures = 0;

  constructor(private readonly options: ReachOptions) {
    this.timing = { ...usualTiming, ...options.timing };
  }

  state(): ReachState {
    return this.known;
  }

  /** Calls back when the state has changed. @returns stop */
  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** Something may have changed (a request without an answer, an event of the browser): asks soon. */
  doubt(): void {
    this.askAt(this.askedAt + this.timing.gap);
  }

  /**
   * The server is known not to answer.
   * @param failures how often that has been so just before; the next question waits accordingly
   */
  lose(failures = 0): void {
    this.failures = Math.max(this.failures, failures);
    this.askedAt = Date.now();
    this.become("lost");
    this.askLater();
  }

  private askLater(): void {
    const { firstDelay, longestDelay } = this.timing;
    const delay = Math.min(longestDelay, firstDelay * 2 ** Math.min(this.failures, 16));
    // Jitter, or everybody whom one server lost would come back to the next one at once.
    const varied = delay * (0.5 + (this.options.random ?? Math.random)());
    this.askAt(Date.now() + varied);
  }

  private askAt(time: number): void {
    if (time >= this.due) return;
    clearTimeout(this.timer);
    this.due = time;
    this.timer = setTimeout(() => void this.ask(), Math.max(0, time - Date.now()));
  }

  private async ask(): Promise<void> {
    this.due = Number.POSITIVE_INFINITY;
    // Asked when the page is seen again: see pageReach.
    if (this.options.isHidden?.()) return;
    this.askedAt = Date.now();
    const answered = await this.options.ask().catch(() => false);
    if (answered) {
      this.failures = 0;
      this.become("reachable");
      return;
    }
    this.become("lost");
    this.askLater();
    this.failures += 1;
  }

  private become(state: ReachState): void {
    if (this.known === state) return;
    this.known = state;
    for (const watcher of [...this.watchers]) watcher();
  }
}

let ofPage: Reach | undefined;

/** The one of this page, in a browser. */
export function pageReach(): Reach {
  if (ofPage) return ofPage;
  const reach = new Reach({ ask: askHealth, isHidden: () => document.visibilityState === "hidden" });
  const doubt = () => reach.doubt();
  window.addEventListener("online", doubt);
  window.addEventListener("offline", doubt);
  document.addEventListener("visibilitychange", () => {
    if (reach.state() !== "reachable") reach.doubt();
  });
  ofPage = reach;
  return reach;
}

/** Our server and nothing that answers in its place, as captive portals do. */
async function askHealth(): Promise<boolean> {
  const response = await fetch("/api/health", {
    cache: "no-store",
    redirect: "error",
    signal: AbortSignal.timeout(patience),
  });
  const body: unknown = await response.json();
  return response.ok && typeof body === "object" && body !== null && Reflect.get(body, "status") === "ok";
}
