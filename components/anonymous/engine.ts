import type { Hex } from "viem";
import { availableThreads } from "@/components/proof/browser/support";
import type { WaitingText } from "@/lib/client/anonymous/store";
import type { UnlinkedStatement } from "@/lib/proofs/anonymous/act";
import {
  type Acting,
  BannedError,
  type Membership,
  type Terms,
  type UnlinkedMembership,
} from "@/lib/proofs/anonymous/membership";
import { NotInCrowdError } from "@/lib/proofs/anonymous/statement";

/** Page and worker are of one build, so messages are not validated. */
export type Task = { readonly id: number } & (
  | {
      readonly kind: "prove";
      readonly act: WaitingText;
      readonly terms: Terms;
      readonly acting: Acting;
      readonly threads: number;
    }
  | {
      readonly kind: "unlinked";
      readonly statement: UnlinkedStatement;
      readonly terms: Pick<Terms, "topic" | "bans">;
      readonly acting: Acting;
      readonly threads: number;
    }
  | { readonly kind: "warm"; readonly threads: number }
  | { readonly kind: "verify"; readonly proof: Uint8Array; readonly words: readonly Hex[] }
);

export interface Reply {
  readonly id: number;
  readonly value: Membership | UnlinkedMembership | boolean | null;
  readonly problem: "banned" | "not-in-crowd" | "failed" | null;
}

/** A worker that nobody has needed for this long ends: it holds a hundred megabytes. Milliseconds. */
const IDLE_MS = 60_000;

interface Waiting {
  readonly resolve: (value: Reply["value"]) => void;
  readonly reject: (error: Error) => void;
}

let worker: Worker | undefined;
let ids = 0;
let idle: ReturnType<typeof setTimeout> | undefined;
const waiting = new Map<number, Waiting>();

/** Proves an act in the worker. @throws BannedError, NotInCrowdError; Error when it could not be made here */
export async function proveMembership(act: WaitingText, terms: Terms, acting: Acting): Promise<Membership> {
  const value = await ask({ kind: "prove", act, terms, acting, threads: availableThreads() });
  if (typeof value === "object" && value && "tag" in value) return value;
  throw new Error("the worker answered another task");
}

/** Proves in the worker an act that can be linked with nothing but what it is about. @throws as `proveMembership` */
export async function proveUnlinked(
  statement: UnlinkedStatement,
  terms: Pick<Terms, "topic" | "bans">,
  acting: Acting,
): Promise<UnlinkedMembership> {
  const { topic, bans } = terms;
  const threads = availableThreads();
  const value = await ask({ kind: "unlinked", statement, terms: { topic, bans }, acting, threads });
  if (typeof value === "object" && value && "tagCommitment" in value) return value;
  throw new Error("the worker answered another task");
}

/** Fetches what proofs take. @throws Error when it could not */
export async function warmUp(): Promise<void> {
  await ask({ kind: "warm", threads: availableThreads() });
}

/** Checks proofs in the worker. */
export const workerVerifier = {
  /** @throws Error when it could not be checked here */
  async verify(proof: Uint8Array, words: readonly Hex[]): Promise<boolean> {
    return (await ask({ kind: "verify", proof, words })) === true;
  },
};

type Asked<T> = T extends Task ? Omit<T, "id"> : never;

function ask(task: Asked<Task>): Promise<Reply["value"]> {
  clearTimeout(idle);
  const id = ++ids;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    try {
      worker ??= start();
      worker.postMessage({ ...task, id });
    } catch {
      end(new Error("this browser runs no such worker"));
    }
  });
}

function start(): Worker {
  const started = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  // It could not be loaded, or was ended for its memory.
  const crashed = () => end(new Error("the worker crashed"));
  started.addEventListener("error", crashed);
  started.addEventListener("messageerror", crashed);
  started.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if (waiting.size === 0) idle = setTimeout(() => end(new Error("the worker was idle")), IDLE_MS);
    if (data.problem === null) asked?.resolve(data.value);
    else asked?.reject(errorOf(data.problem));
  });
  return started;
}

function errorOf(problem: NonNullable<Reply["problem"]>): Error {
  if (problem === "banned") return new BannedError("this author is banned");
  if (problem === "not-in-crowd") return new NotInCrowdError("this secret is not in the crowd");
  return new Error("the worker failed");
}

/** Ends the worker, with its threads. */
function end(error: Error): void {
  worker?.terminate();
  worker = undefined;
  for (const { reject } of waiting.values()) reject(error);
  waiting.clear();
}
