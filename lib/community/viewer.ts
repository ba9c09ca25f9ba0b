import type { Role } from "@/lib/contract/common";
import type { Viewer } from "@/lib/policy/verdict";
import type { Caller } from "./context";

/** The caller as the policies see one, for a topic in which they have this role. */
export function viewerOf(caller: Caller | null, role: Role | null): Viewer {
  return { signedIn: caller !== null, role };
}
