import type { Caller } from "@/lib/context";
import type { OperationSpec } from "@/lib/contract";
import { isRefusal } from "@/lib/errors";
import { log } from "@/lib/log";
import type { Services } from "@/lib/runtime/assemble";
import { processState } from "@/lib/runtime/process";
import { credentialsOf } from "@/lib/session/caller";
import { addressTag, tagOf } from "./address";
import type { Incoming } from "./incoming";

/** The parts of a request that its log line needs. */
interface Noted {
  readonly op: Pick<OperationSpec, "id" | "method" | "access" | "auth">;
  readonly incoming: Pick<Incoming, "headers">;
  readonly requestId: string;
  readonly services: Pick<Services, "cache" | "config" | "now">;
}

const endings: ReadonlySet<string> = new Set([
  "auth.logout",
  "auth.endSession",
  "auth.endOtherSessions",
  "profile.deleteAccount",
]);
/** Access rules of operations for a topic's staff or an operator. */
const staffAccess: ReadonlySet<string> = new Set([
  "topic-staff",
  "topic-owner",
  "topic-owner-or-global-admin",
  "post-staff",
  "post-moderator",
  "comment-moderator",
  "desk",
  "operator",
  "message-moderator",
]);

/** Operations for a topic's staff that everyone may call, since what they name decides. */
const staffOperations: ReadonlySet<string> = new Set(["moderation.decideCases"]);

/** Counts a refusal. Logs a security-relevant one without tokens, bodies, domains or error message; addresses as daily tags. */
export async function noteRefusal(noted: Noted, error: unknown): Promise<void> {
  if (!isRefusal(error)) return;
  processState().metrics?.refused(error.code);
  if (noted.op.auth === "refused") return;
  const event = refusalEvent(noted, error.code);
  if (event) await note(event, noted, { code: error.code });
}

function refusalEvent({ op, incoming }: Noted, code: string): string | null {
  if (code === "cross_site" || code === "rate_limited") return code;
  if (code === "not_authenticated") {
    return credentialsOf(incoming.headers).from === "nowhere" ? null : "credential_refused";
  }
  const signsIn = op.id === "auth.verify" || op.id === "auth.answerProofRequest";
  return signsIn && (code.startsWith("proof_") || code === "challenge_unknown") ? "sign_in_refused" : null;
}

/** Logs sign-ins, ended sessions and actions of staff and operators. Users appear as tags, like addresses. */
export async function noteSuccess(
  noted: Noted,
  caller: Pick<Caller, "userId" | "operator"> | null,
  body: unknown,
): Promise<void> {
  const { op } = noted;
  const began = beganSession(op.id, body);
  if (began) return await note("signed_in", noted, { userId: began });
  if (!caller) return;
  const { userId } = caller;
  if (endings.has(op.id)) return await note("session_ended", noted, { userId });
  if (op.method === "GET") return;
  if (staffAccess.has(op.access) || staffOperations.has(op.id)) await note("staff_act", noted, { userId });
  else if (caller.operator) await note("admin_act", noted, { userId });
}

/** Returns the user whom this response signed in. */
function beganSession(operation: string, body: unknown): string | null {
  if (!["auth.verify", "auth.devLogin", "auth.pollProofRequest"].includes(operation)) return null;
  if (typeof body !== "object" || body === null || !("token" in body) || !("userId" in body)) return null;
  return String(body.userId);
}

async function note(
  event: string,
  { op, incoming, requestId, services }: Noted,
  { code, userId }: { readonly code?: string; readonly userId?: string },
): Promise<void> {
  try {
    const address = await addressTag(incoming.headers, services);
    const user = userId === undefined ? undefined : await tagOf(`user ${userId}`, services);
    log.info({ security: event, operation: op.id, code, requestId, address, user }, "security event");
  } catch (error) {
    // The tags' key is in the cache; without it the event is logged without tags.
    log.warn(
      { security: event, operation: op.id, code, requestId, err: error },
      "security event without tags",
    );
  }
}
