import { readFileSync } from "node:fs";
import path from "node:path";
import { type CompiledCircuit, Noir } from "@noir-lang/noir_js";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { ProofInputError } from "../errors";
import { type TestIssuer, testIssuer } from "../testing/tokens";
import { buildOidcInputs, type OidcCircuitInputs } from "./inputs";

const artifact = path.join(import.meta.dirname, "../../../circuits/artifacts/oidc_domain_attestation.json");
const NOW = 1_800_000_000;
const ISS = "https://accounts.example.test";
const AUDIENCE = "123456789012-abcdefghijklmnopqrstuvwxyz012345.apps.example.test";
const TENANT_ISS = "https://login.example.test/0a1b2c3d-0000-4000-8000-0123456789ab/v2.0";

let circuit: Noir;
let issuer: TestIssuer;
beforeAll(async () => {
  const compiled: CompiledCircuit = JSON.parse(readFileSync(artifact, "utf8"));
  circuit = new Noir(compiled);
  issuer = await testIssuer("key-1");
});

const build = (jwt: string, provider: "provider_a" | "provider_b") =>
  buildOidcInputs({
    jwt,
    jwks: { keys: [issuer.jwk] },
    issuer: {
      issuer: provider === "provider_a" ? ISS : "https://login.example.test/{tenantid}/v2.0",
      provider,
      webClientId: AUDIENCE,
      deviceClientId: AUDIENCE,
    },
    scope: "zk-community",
    provider,
    now: NOW * 1000,
  });

/** The compiled circuit is the judge: what the builder gives must be solvable. */
describe("oidc_domain_attestation takes what the builder gives", () => {
  const word = fc.stringMatching(/^[a-z0-9]{1,20}$/);
  const tokens = fc.record({
    provider: fc.constantFrom("provider_a" as const, "provider_b" as const),
    local: fc.stringMatching(/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/),
    domain: fc.stringMatching(/^[a-z0-9.-]{1,63}$/),
    nonce: fc.option(fc.stringMatching(/^[ !#-[\]-~]{1,64}$/)),
    sub: word,
    name: fc.string({ unit: "binary", maxLength: 30 }),
    nested: fc.constantFrom(
      null,
      [[[[["]]"]]]]],
      { email: "x@victim.com", iat: 1 },
      '"email":"x@victim.com"',
      "\\",
    ),
    yes: fc.constantFrom(true, 1, "1", "true"),
    order: fc.array(fc.nat(), { minLength: 10, maxLength: 10 }),
  });

  it("for any claim order, alignment, length and neighbours", async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(tokens, async ({ provider, local, domain, nonce, sub, name, nested, yes, order }) => {
        const a = provider === "provider_a";
        const members: [string, unknown][] = [
          ["iss", a ? ISS : TENANT_ISS],
          ["aud", AUDIENCE],
          ["sub", sub],
          ["name", name],
          ["email", `${local}@${domain}`],
          a ? ["email_verified", true] : ["xms_edov", yes],
          ["iat", NOW - 5],
          ["exp", NOW + 300],
          ["extra", nested],
          ...(nonce === null ? [] : [["nonce", nonce] satisfies [string, unknown]]),
        ];
        const shuffled = members
          .map((member, i) => ({ member, at: order[i] ?? 0 }))
          .sort((x, y) => x.at - y.at);
        const jwt = await issuer.sign(Object.fromEntries(shuffled.map(({ member }) => member)));
        let inputs: OidcCircuitInputs;
        try {
          ({ inputs } = await build(jwt, provider));
        } catch (error) {
          if (error instanceof ProofInputError && error.code === "TOKEN_TOO_LONG") return;
          throw error;
        }
        await circuit.execute(inputs);
        accepted++;
      }),
      { numRuns: 25 },
    );
    expect(accepted).toBeGreaterThan(15);
  }, 120_000);

  it("for exactly 640 bytes, the longest address, domain and nonce", async () => {
    const claims = {
      email: `${"a".repeat(63)}@${"d".repeat(60)}.com`,
      email_verified: true,
      iss: ISS,
      aud: AUDIENCE,
      iat: NOW - 5,
      exp: NOW + 300,
      nonce: "n".repeat(64),
    };
    for (let pad = 0; pad < 300; pad++) {
      const jwt = await issuer.sign({ ...claims, pad: "x".repeat(pad) });
      const built = await build(jwt, "provider_a").catch(() => null);
      if (built?.inputs.partial_data.len !== 640) continue;
      await circuit.execute(built.inputs);
      return;
    }
    expect.fail("no token with 640 bytes tried");
  }, 60_000);
});
