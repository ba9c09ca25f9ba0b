import { randomBytes } from "node:crypto";
import { loadDeployment } from "@/lib/proofs/deployment.server";

/** The installation under test; scripts/test.ts names its description in PARLEY_DEPLOYMENT. */
export const deployment = loadDeployment();

/** Origin of the app under test. */
export const appOrigin = new URL(process.env.PARLEY_E2E_URL ?? "http://localhost:3000").origin;

/** A word no other test, project or run uses: one stack serves them all. */
export function uniqueWord(): string {
  return randomBytes(3).toString("hex");
}
