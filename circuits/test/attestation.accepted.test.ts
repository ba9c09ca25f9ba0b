import { Noir } from "@noir-lang/noir_js";
import { describe, expect, it } from "vitest";
import { committedArtifact } from "@/scripts/circuits/builds";
import { build, toInputMap } from "./attestation-witness";

describe.each(["partner_country_attestation", "network_eligibility", "regional_attestation"] as const)(
  "%s",
  (circuit) => {
    it.each(["production", "development"] as const)("is accepted, %s", async (mode) => {
      const artifact = committedArtifact(circuit, mode);
      const noir = new Noir({ ...artifact, debug_symbols: "", file_map: {} });
      const { inputs } = await build(circuit, mode);
      await noir.execute(toInputMap(inputs));
      expect(true).toBe(true);
    });
  },
);
