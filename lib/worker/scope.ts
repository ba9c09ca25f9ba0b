/** What ours uses of a worker's global scope; TypeScript's lib "webworker" conflicts with that of pages. */
export interface WorkerScope {
  readonly location: { readonly origin: string };
  readonly navigator: { readonly languages: readonly string[] };
  /** Not in every browser. */
  readonly cookieStore?: { get(name: string): Promise<{ readonly value: string } | null> };
  readonly registration: {
    showNotification(title: string, options: NotificationOptions & { renotify: boolean }): Promise<void>;
  };
  readonly clients: {
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<readonly Tab[]>;
    openWindow(url: string): Promise<Tab | null>;
    claim(): Promise<void>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<K extends keyof WorkerEvents>(name: K, listener: (event: WorkerEvents[K]) => void): void;
}

interface Tab {
  readonly url: string;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}

interface Lasting {
  /** Keeps the worker alive until the work is done; a rejection means that the event failed. */
  waitUntil(work: Promise<unknown>): void;
}

interface WorkerEvents {
  readonly install: Lasting & {
    /** Sends requests past the worker. Not in every browser. */
    addRoutes?(route: {
      readonly condition: { readonly urlPattern: string };
      readonly source: "network";
    }): Promise<void>;
  };
  readonly activate: Lasting;
  readonly push: Lasting & { readonly data: PushData | null };
  readonly notificationclick: Lasting & {
    readonly notification: { readonly data: unknown; close(): void };
  };
  /** Background Sync. */
  readonly sync: Lasting & { readonly tag: string };
  readonly message: Lasting & { readonly data: unknown };
  readonly fetch: Lasting & {
    readonly request: Request;
    readonly preloadResponse: Promise<Response | undefined>;
    respondWith(answer: Promise<Response>): void;
  };
}

export interface PushData {
  /** @throws when it is not JSON */
  json(): unknown;
}

/** The global of this code, which is a worker's; TypeScript's own declaration is that of pages, see above. */
declare const self: WorkerScope;

/** Returns the worker this code runs in. */
export function scope(): WorkerScope {
  return self;
}
