import { api } from "@/components/api";
import { createClient } from "@/lib/client";
import type { Signed } from "@/lib/client/anonymous/crowd";
import { type SendingParts, unguessable } from "@/lib/client/anonymous/entries";
import { sanitizePostHtml } from "@/lib/html/sanitize";
import { proveMembership, proveUnlinked } from "./engine";

/** As the member. */
export const signed: Signed = { api, fetch: (input, init) => fetch(input, init) };

/** What the outbox works with in a browser. */
export const parts: SendingParts = {
  signed,
  // Without the site's own client, which marks its requests.
  nobody: createClient(),
  prove: proveMembership,
  proveUnlinked,
  sanitize: (html) => sanitizePostHtml(html).html,
  now: Date.now,
  random: unguessable,
};
