import type { Db } from "@/db/schema";
import type { Cache } from "@/lib/cache";
import type { Recorder } from "@/lib/chain/recorder";
import type { HandlerInput, OperationSpec, ResponseBody } from "@/lib/contract";
import type { OperatorRole } from "@/lib/contract/desk";
import type { Live } from "@/lib/live";
import type { AnonymousSettings } from "@/lib/policy/anonymous";
import type { TrustSettings } from "@/lib/policy/trust";
import type { PublicWeb } from "@/lib/preview/web";
import type { MembershipVerifier } from "@/lib/proofs/anonymous/verifier";
import type { Deployment } from "@/lib/proofs/deployment";
import type { Push } from "@/lib/push";
import type { Storage } from "@/lib/storage";
import type { AppKeys } from "./apps";
import type { FactSeals, ProofAcceptor } from "./proofs";

/** The session of a request. */
export interface CallerSession {
  readonly id: string;
  /** Id of the request's token: the session's current one or, for a minute, the previous one. */
  readonly jti: string;
  /** When that token was issued. */
  readonly issuedAt: Date;
  /** When the sign-in proof was verified. */
  readonly provenAt: Date;
}

/** A token for automation, with which a program acts as its owner. */
export interface Automation {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Null for every topic. */
  readonly topicIds: readonly string[] | null;
  /** Millionths of a USD. */
  readonly spendCap: number;
  readonly spent: number;
}

/** The signed-in user of a request, read from the session token. */
export interface Caller {
  readonly userId: string;
  readonly nickname: string;
  /** False while the nickname is the generated anon_… one. */
  readonly nicknameSet: boolean;
  /** When the proof was verified, in Unix milliseconds. */
  readonly verifiedAt: number;
  /** When the request came, for rules that depend on the time. */
  readonly at: Date;
  /** Role on the installation; null for almost everyone. */
  readonly operator: OperatorRole | null;
  readonly session: CallerSession;
  /** The token that acts for them; null where they do themselves. */
  readonly automation: Automation | null;
}

/** What changed of what guests read: the page of one post and the lists it is in, only lists, or anything. */
export type Changed = { readonly postId: string } | "lists" | "everything";

/** Everything a community function may use. It has no HTTP in it. */
export interface Context {
  /** Null for a guest. */
  readonly caller: Caller | null;
  readonly db: Db;
  readonly cache: Cache;
  readonly storage: Storage;
  /** Fetches from public addresses only. */
  readonly web: PublicWeb;
  /** Publishes changes to the clients of every process. */
  readonly live: Live;
  /** Writes records on-chain; null without a record board or a key for it. */
  readonly recorder: Recorder | null;
  /** Sends notifications to browsers that are not open. */
  readonly push: Push;
  readonly deployment: Deployment;
  /** Operators by ADMIN_USER_IDS, whose role nobody can take. */
  readonly adminUserIds: ReadonlySet<string>;
  /** Accepts proofs for this installation. Nothing else does. */
  readonly acceptProof: ProofAcceptor;
  /** Checks proofs of membership of a crowd, and what this installation asks of crowds. */
  readonly anonymous: AnonymousSettings & Pick<MembershipVerifier, "verify">;
  /** Returns the secret that signs what a webhook sends: `whsec_` and base64. */
  readonly webhookSecretOf: (webhookId: string) => string;
  /** Secrets, ids and tickets of apps that people sign in to. */
  readonly apps: AppKeys;
  /** Seals proven facts for the database. */
  readonly facts: FactSeals;
  /** What this installation does about spam. */
  readonly trust: TrustSettings;
  readonly now: () => Date;
  /**
   * Notes a change of what guests read. Every successful operation that may change it does so by itself; only work that
   * is done apart from a response must call it.
   */
  readonly changed: (what: Changed) => void;
  /** Runs work after the response, such as recalculating a score. Errors are logged. */
  readonly later: (name: string, work: () => Promise<void>) => void;
}

/** The context of operations with auth "required". */
export interface MemberContext extends Context {
  readonly caller: Caller;
}

/** Implements one operation of the API, with the context that the operation's `auth` calls for. */
export type Handler<S extends OperationSpec> = (
  ctx: S["auth"] extends "required" ? MemberContext : Context,
  input: HandlerInput<S>,
) => Promise<ResponseBody<S>>;
