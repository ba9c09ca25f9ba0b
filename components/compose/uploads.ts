import PQueue from "p-queue";
import { type PictureProblem, type Prepared, UnfitPictureError } from "./pictures";

export interface Upload {
  readonly id: string;
  readonly name: string;
  /** Address of the picture on this page, until it has a public one. */
  readonly preview: string;
  readonly state: "waiting" | "sending" | "done" | "failed";
  /** Part that was sent, 0 to 1. */
  readonly part: number;
  readonly problem: PictureProblem | null;
  /** The error when the network or the server failed, not the picture. */
  readonly cause: unknown;
  readonly url: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly isReduced: boolean;
}

interface SendOptions {
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
}

export interface UploadTools {
  readonly prepare: (file: File) => Promise<Prepared>;
  /** @returns the public address */
  readonly send: (file: File, options: SendOptions) => Promise<string>;
  readonly preview: (file: File) => string;
  readonly forgetPreview: (preview: string) => void;
}

/** The server accepts two large bodies at once and makes a third wait. */
const CONCURRENCY = 2;

/** The uploads of one composer. */
export class Uploads {
  readonly #files = new Map<string, File>();
  readonly #running = new Map<string, AbortController>();
  readonly #watchers = new Set<() => void>();
  readonly #queue = new PQueue({ concurrency: CONCURRENCY });
  #all: ReadonlyMap<string, Upload> = new Map();
  readonly #tools: UploadTools;

  constructor(tools: UploadTools) {
    this.#tools = tools;
  }

  /** Begins an upload. @returns its id */
  add(file: File): string {
    const id = crypto.randomUUID();
    this.#files.set(id, file);
    this.#set({
      id,
      name: file.name,
      preview: this.#tools.preview(file),
      state: "waiting",
      part: 0,
      problem: null,
      cause: null,
      url: null,
      width: null,
      height: null,
      isReduced: false,
    });
    this.#start(id);
    return id;
  }

  retry(id: string): void {
    if (this.#all.get(id)?.state === "failed") this.#start(id);
  }

  /** Sends again what failed because of the network. */
  retryUnanswered(): void {
    for (const { id, state, problem } of this.#all.values())
      if (state === "failed" && !problem) this.retry(id);
  }

  /** Cancels an upload; its picture stays and can be sent again. */
  cancel(id: string): void {
    this.#running.get(id)?.abort();
  }

  get(id: string): Upload | undefined {
    return this.#all.get(id);
  }

  /** Returns all uploads; a new map whenever one has changed. */
  readonly all = (): ReadonlyMap<string, Upload> => this.#all;

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Resolves once none of these is waiting or being sent. */
  async settled(ids: readonly string[]): Promise<void> {
    const isPending = () => ids.some((id) => ["waiting", "sending"].includes(this.#all.get(id)?.state ?? ""));
    if (!isPending()) return;
    await new Promise<void>((resolve) => {
      const stop = this.watch(() => {
        if (isPending()) return;
        stop();
        resolve();
      });
    });
  }

  /** Cancels every upload and releases the files. */
  end(): void {
    for (const controller of this.#running.values()) controller.abort();
    for (const { preview } of this.#all.values()) this.#tools.forgetPreview(preview);
    this.#files.clear();
  }

  #start(id: string): void {
    const file = this.#files.get(id);
    if (!file) return;
    const controller = new AbortController();
    const { signal } = controller;
    this.#running.set(id, controller);
    this.#change(id, { state: "waiting", part: 0, problem: null, cause: null });
    // A queued upload must show at once that it was canceled.
    signal.addEventListener("abort", () => this.#change(id, { state: "failed", problem: "cancelled" }));
    void this.#queue.add(async () => {
      if (signal.aborted) return;
      try {
        const { file: fit, ...size } = await this.#tools.prepare(file);
        this.#change(id, { ...size, state: "sending" }, signal);
        const onProgress = (part: number) => this.#change(id, { part }, signal);
        const url = await this.#tools.send(fit, { onProgress, signal });
        this.#change(id, { state: "done", part: 1, url }, signal);
      } catch (cause) {
        const problem = cause instanceof UnfitPictureError ? cause.problem : null;
        this.#change(id, { state: "failed", problem, cause }, signal);
      }
    });
  }

  #change(id: string, change: Partial<Upload>, signal?: AbortSignal): void {
    const before = this.#all.get(id);
    if (before && !signal?.aborted) this.#set({ ...before, ...change });
  }

  #set(upload: Upload): void {
    this.#all = new Map(this.#all).set(upload.id, upload);
    for (const watcher of [...this.#watchers]) watcher();
  }
}
