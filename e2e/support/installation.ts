import { randomBytes } from "node:crypto";
import { loadDeployment } from "@/lib/proofs/deployment.server";
import { testSettings } from "@/lib/settings/tools";

/** The installation under test; scripts/test.ts names its description in PARLEY_DEPLOYMENT. */
export const deployment = loadDeployment();

/** Origin of the app under test. */
export const appOrigin = new URL(testSettings().PARLEY_E2E_URL).origin;

/** A word no other test, project or run uses: one stack serves them all. */
export function uniqueWord(): string {
  return randomBytes(3).toString("hex");
}
