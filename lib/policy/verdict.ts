import type { Role } from "@/lib/contract/common";
import type { ErrorCode } from "@/lib/contract/errors";

/** What a rule says: allowed, or the documented code of the refusal. */
export type Verdict = "allowed" | ErrorCode;

/** Who asks, as far as a topic is concerned. */
export interface Viewer {
  readonly signedIn: boolean;
  /** Role in the topic in question; null for everybody else. */
  readonly role: Role | null;
}
