import type { createClient } from "@/lib/client";
import type { PayingWallet, PaymentStore } from "@/lib/proofs/client";
import type { AttestationWallet, ProveAttestedRequest } from "@/lib/proofs/client/attested";
import type { Deployment } from "@/lib/proofs/deployment";
import type { ProveResult } from "@/lib/proofs/wire";
import { UsageError } from "./options";
import type { Teller } from "./tell";

/** Everything a run touches, so that tests put doubles in its place. */
export interface World {
  readonly deployment: Deployment;
  /** The wallet with the attestation; asked for by wallet circuits only. @throws UsageError where none is set */
  readonly holder: () => AttestationWallet;
  readonly payer: PayingWallet;
  readonly member: Member;
  readonly store: PaymentStore;
  readonly readFile: (path: string) => Promise<string>;
  /** All of the standard input. */
  readonly readInput: () => Promise<string>;
  readonly prove: (request: ProveAttestedRequest) => Promise<ProveResult>;
  readonly verify: (deployment: Deployment, result: ProveResult) => Promise<"valid" | "invalid">;
  /** A name for a payment that no other has. */
  readonly newJob: () => string;
  readonly tell: Teller;
  /** Asks a person yes or no; null where nobody is there. */
  readonly ask: ((question: string) => Promise<boolean>) | null;
  /** For tests. */
  readonly fetch?: typeof fetch;
}

/** The same for every circuit: whom to pay, how much at most, under which name. */
export type Purchase = Pick<
  ProveAttestedRequest,
  "proverUrl" | "expectedOffers" | "allowGateway" | "accept" | "maxAmount" | "store" | "jobKey" | "fetch"
> & { readonly onProgress: NonNullable<ProveAttestedRequest["onProgress"]> };

/** The session that `--join` acts with. @throws UsageError */
export function memberOf({ member }: Pick<World, "member">): NonNullable<Member> {
  if (member) return member;
  throw new UsageError("--join acts as a member: set PARLEY_TOKEN to your session token.");
}

/** The community as a member, or nobody where no token was given. */
export type Member = ReturnType<typeof createClient> | null;
