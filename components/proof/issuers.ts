import type { PublicConfig, PublicIssuer } from "./config";

/** The configured issuers whose proofs a gate takes. */
export function issuersFor(config: PublicConfig, proofType: string): readonly PublicIssuer[] {
  if (proofType === "workspace_a") return config.issuers.filter((i) => i.provider === "provider_a");
  if (proofType === "workspace_b") return config.issuers.filter((i) => i.provider === "provider_b");
  return config.issuers;
}
