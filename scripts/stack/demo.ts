import type { Deployment } from "@/lib/proofs/deployment";
import type { Reporter } from "./progress";

export async function ensureDemo(
  _marker: string,
  _deployment: Deployment,
  _reporter: Reporter,
): Promise<void> {}
