import type { Deployment } from "@/lib/proofs/deployment";
import type { Environment } from "@/lib/settings/read";
import type { Addresses } from "../contracts/deploy/addresses";

export const programs = ["app", "prover", "facilitator"] as const;
export type Program = (typeof programs)[number];

/** Something that is wrong, or may be, and what to do about it. */
export interface Finding {
  /** A fault keeps a program from working or from being safe; a warning may be intended. */
  readonly kind: "fault" | "warning";
  /** What it is about, for example "chain 8453". */
  readonly about: string;
  /** One sentence without its period; never a secret. */
  readonly problem: string;
  /** What mends it: one sentence without its period. */
  readonly mend: string;
}

/** An installation that is examined. */
export interface Patient {
  readonly environment: Environment;
  /** The programs that run with this environment. */
  readonly programs: ReadonlySet<Program>;
  readonly deployment: Deployment;
  readonly mode: Deployment["mode"];
  /** Where our verifiers are, by contracts/addresses.json. */
  readonly addresses: Addresses;
}

/** Looks at one part of an installation. It changes nothing, and what it cannot reach is a finding. */
export type Check = (patient: Patient) => Promise<readonly Finding[]>;

export function fault(about: string, problem: string, mend: string): Finding {
  return { kind: "fault", about, problem, mend };
}

export function warning(about: string, problem: string, mend: string): Finding {
  return { kind: "warning", about, problem, mend };
}

/** Milliseconds that a service has to answer. */
export const TIMEOUT_MS = 10_000;

/** Returns why something failed, in words that hold no address: addresses of databases and nodes contain secrets. */
export function reasonOf(error: unknown): string {
  // A DOMException, such as that of a timeout, has a number as its code.
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  if (code) return code;
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause !== undefined) return reasonOf(cause);
  return error instanceof Error ? error.name : "no reason given";
}
