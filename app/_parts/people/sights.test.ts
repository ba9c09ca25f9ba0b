import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { words } from "@/lib/i18n/english";
import { hiddenFacts } from "@/lib/proofs/hidden";
import { circuits } from "@/lib/proofs/registry";
import { revealedFacts } from "@/lib/proofs/revealed";
import type { Party, StepName } from "./sights";

afterEach(() => {
  vi.doUnmock("@/lib/proofs/revealed");
  vi.doUnmock("@/lib/proofs/hidden");
  vi.resetModules();
});

/** Loads the table with the registry as it is now. */
async function cell(kind: "email" | "wallet", step: StepName, party: Party): Promise<readonly string[]> {
  const { sightsOf } = await import("./sights");
  return (
    sightsOf(words, kind)
      .find((row) => row.step === step)
      ?.seen(party) ?? []
  );
}

describe("what each party sees at each step", () => {
  it("is for the app what the registry says that a proof reveals", async () => {
    expect(await cell("email", "checking", "app")).toEqual(circuits.oidc_domain_attestation.reveals);
    const wallet = await cell("wallet", "checking", "app");
    for (const id of ["partner_country_attestation", "network_eligibility"] as const) {
      for (const fact of circuits[id].reveals) expect(wallet).toContain(fact);
    }
  });

  it("never is what the proof hides, for anyone but this browser and the prover", async () => {
    const { parties, sightsOf } = await import("./sights");
    const hidden: ReadonlySet<string> = new Set(Object.values(hiddenFacts));
    for (const kind of ["email", "wallet"] as const) {
      for (const { step, seen } of sightsOf(words, kind)) {
        for (const party of parties.filter((one) => one !== "browser" && one !== "prover")) {
          expect(
            seen(party).filter((fact) => hidden.has(fact)),
            `${kind} ${step} ${party}`,
          ).toEqual([]);
        }
      }
    }
    expect(await cell("email", "proving", "prover")).toEqual(
      expect.arrayContaining([hiddenFacts.email, hiddenFacts.token]),
    );
    // Nobody here has the documents; the attester does.
    expect(await cell("wallet", "proving", "prover")).not.toContain(hiddenFacts.documents);
  });

  it("changes with the registry", async () => {
    vi.doMock("@/lib/proofs/revealed", async (original) => ({
      ...(await original<typeof import("@/lib/proofs/revealed")>()),
      revealedBy: () => ["binding"],
    }));
    vi.doMock("@/lib/proofs/hidden", async (original) => ({
      ...(await original<typeof import("@/lib/proofs/hidden")>()),
      seenByMaker: () => ["documents"],
    }));
    vi.resetModules();
    expect(await cell("email", "checking", "app")).toEqual([revealedFacts.binding]);
    expect(await cell("email", "identity", "browser")).toEqual([hiddenFacts.documents]);
    expect(await cell("email", "proving", "prover")).toEqual([hiddenFacts.documents, revealedFacts.binding]);
  });
});

it("the README tells who reads the token in the words of the pages", () => {
  const readme = readFileSync(path.resolve(import.meta.dirname, "../../../README.md"), "utf8");
  expect(readme.replaceAll(/\s+/g, " ")).toContain(words.t("prover.readsToken"));
});
