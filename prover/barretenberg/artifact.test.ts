import path from "node:path";
import { expect, test } from "vitest";
import { artifactFile } from "./artifact";

test("an attested circuit has a build for each mode's attesters, the domain circuit one for both", () => {
  const name = (...of: Parameters<typeof artifactFile>) => path.basename(artifactFile(...of));
  expect(name("network_eligibility", "development")).toBe("network_eligibility.development.json");
  expect(name("network_eligibility", "production")).toBe("network_eligibility.json");
  expect(name("oidc_domain_attestation", "development")).toBe("oidc_domain_attestation.json");
  expect(name("oidc_domain_attestation", "production")).toBe("oidc_domain_attestation.json");
});
