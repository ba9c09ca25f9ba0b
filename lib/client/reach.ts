/**
 * Finds out whether this site's server is reachable by asking it. `navigator.onLine` is only a hint to ask: it is
 * true behind a captive portal and while the server is down, and browsers disagree about pages loaded from a copy.
 * Everything on a page that waits for the server waits for this, so a tab whose server is gone sends few requests.
 */

export type ReachState =
  | "unknown"
  | "reachable"
  /** The server did not answer; it is asked again until it does. */
  | "lost";

/** Milliseconds. */
interface ReachTiming {
  /** Before the second request; doubled for each further one, up to `longestDelay`, with 50 % jitter. */
  readonly firstDelay: number;
  readonly longestDelay: number;
  /** Minimum time between two requests, whatever happens. */
  readonly gap: number;
}

const usualTiming: ReachTiming = { firstDelay: 2_000, longestDelay: 30_000, gap: 8_000 };
const REQUEST_TIMEOUT_MS = 10_000;

interface ReachOptions {
  /** Asks the server; returns false or rejects when it is unreachable. */
  readonly ask: () => Promise<boolean>;
  /** Whether the page is hidden: then requests wait. */
  readonly isHidden?: () => boolean;
  readonly timing?: Partial<ReachTiming>;
  readonly random?: () => number;
}

export class Reach {
  #known: ReachState = "unknown";
  readonly #watchers = new Set<() => void>();
  readonly #timing: ReachTiming;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Number.POSITIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  readonly #options: ReachOptions;

  constructor(options: ReachOptions) {
    this.#options = options;
    this.#timing = { ...usualTiming, ...options.timing };
  }

  state(): ReachState {
    return this.#known;
  }

  /** Calls back when the state has changed. @returns stop */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Asks soon, since something may have changed (a request without a response, an event of the browser). */
  doubt(): void {
    this.#askAt(this.#askedAt + this.#timing.gap);
  }

  /**
   * Records that the server does not answer.
   * @param failures number of failures just before, which sets the next delay
   */
  lose(failures = 0): void {
    this.#failures = Math.max(this.#failures, failures);
    this.#askedAt = Date.now();
    this.#become("lost");
    this.#askLater();
  }

  #askLater(): void {
    this.#askAt(Date.now() + retryDelay(this.#failures, this.#timing, this.#options.random));
  }

  #askAt(time: number): void {
    if (time >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = time;
    this.#timer = setTimeout(() => void this.#ask(), Math.max(0, time - Date.now()));
  }

  async #ask(): Promise<void> {
    this.#due = Number.POSITIVE_INFINITY;
    // Asked when the page is visible again: see pageReach.
    if (this.#options.isHidden?.()) return;
    this.#askedAt = Date.now();
    const answered = await this.#options.ask().catch(() => false);
    if (answered) {
      this.#failures = 0;
      this.#become("reachable");
      return;
    }
    this.#become("lost");
    this.#askLater();
    this.#failures += 1;
  }

  #become(state: ReachState): void {
    if (this.#known === state) return;
    this.#known = state;
    for (const watcher of [...this.#watchers]) watcher();
  }
}

/**
 * Returns the delay before a retry: doubled per failure. The jitter keeps the clients of a lost server from all
 * returning at once.
 */
export function retryDelay(
  failures: number,
  { firstDelay, longestDelay }: Pick<ReachTiming, "firstDelay" | "longestDelay">,
  random = Math.random,
): number {
  return Math.min(longestDelay, firstDelay * 2 ** Math.min(failures, 16)) * (0.5 + random());
}

let ofPage: Reach | undefined;

/** Returns the page's only instance, in a browser. */
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

/** Asks our server, and does not accept answers of captive portals. */
async function askHealth(): Promise<boolean> {
  const response = await fetch("/api/health", {
    cache: "no-store",
    redirect: "error",
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const body: unknown = await response.json();
  return response.ok && typeof body === "object" && body !== null && Reflect.get(body, "status") === "ok";
}

/** What a follower of events needs to know about its page. */
export interface PageLife {
  readonly isHidden: () => boolean;
  /** False while the server is known not to answer. */
  readonly isOnline: () => boolean;
  /** Reports a request without a response. */
  readonly lost?: () => void;
  /** Calls back when either may have changed; returns stop. */
  readonly onChange: (listener: () => void) => () => void;
}

/** Returns the life of a browser's page; outside a browser one that is always visible and online. */
export function pageLife(): PageLife {
  if (typeof document === "undefined") {
    return { isHidden: () => false, isOnline: () => true, onChange: () => () => {} };
  }
  const reach = pageReach();
  return {
    isHidden: () => document.visibilityState === "hidden",
    isOnline: () => reach.state() !== "lost",
    lost: () => reach.doubt(),
    onChange(listener) {
      document.addEventListener("visibilitychange", listener);
      const unwatch = reach.watch(listener);
      return () => {
        document.removeEventListener("visibilitychange", listener);
        unwatch();
      };
    },
  };
}
