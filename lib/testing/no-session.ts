import type { CallerSession } from "@/lib/context";

/** The session of callers that a test makes up: there is no such row. */
export const noSession: CallerSession = {
  id: "00000000-0000-4000-8000-000000000000",
  jti: "",
  issuedAt: new Date(0),
  // As if they had signed in just now, however long the test runs.
  get provenAt() {
    return new Date();
  },
};
