import { api } from "@/components/api";
import { createClient } from "@/lib/client";
import type { Signed } from "@/lib/client/anonymous/crowd";
import { type SendingParts, unguessable } from "@/lib/client/anonymous/entries";
import { proveBallot, proveDeletion, proveMembership } from "./engine";

/** As the member. */
export const signed: Signed = { api, fetch: (input, init) => fetch(input, init) };

/** What the outbox works with in a browser. */
export const parts: SendingParts = {
  signed,
  // Without the site's own client, which marks its requests.
  nobody: createClient(),
  prove: proveMembership,
  proveBallot,
  proveDeletion,
  now: Date.now,
  random: unguessable,
};
