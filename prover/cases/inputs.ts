import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { testIssuer } from "@/lib/proofs/testing/tokens";
import { circuit } from "../testing/prover-client";
import { price, type RunningProver, type Stack, scope } from "../testing/stack";

const invalid = (field: string, reason: string) => [400, "INVALID_INPUTS", field, reason];

/** Requests that no trusted proof can be made of: refused before any money moves. */
export function inputs(stack: () => Stack): void {
  describe("refusing inputs", () => {
    let running: RunningProver;
    beforeAll(async () => {
      running = await stack().start({}, stack().replaying());
    });

    /** Sends inputs with a good payment and expects a refusal that charged and kept nothing. */
    async function refused(wrong: unknown) {
      const { header, left } = await stack().pay(running.client);
      const { status, error } = await running.client.buy(wrong, header);
      expect(await left()).toBe(price);
      expect(await running.rows()).toEqual([]);
      return [status, error?.error, error?.field, error?.reason];
    }

    it("a token that has expired", async () => {
      const past = Math.floor(Date.now() / 1000) - 7200;
      const jwt = await stack().idp.token("eve@example.com", { iat: past, exp: past + 60 });
      expect(await refused({ jwt, scope })).toEqual(invalid(expect.any(String), "TOKEN_EXPIRED"));
    });

    it("a token whose email is not verified", async () => {
      const jwt = await stack().idp.token("eve@example.com", { email_verified: false });
      expect(await refused({ jwt, scope })).toEqual(invalid("email_verified", "EMAIL_NOT_VERIFIED"));
    });

    it("a token of the issuer's that another client holds, whatever its nonce", async () => {
      const wrong = invalid("jwt", "WRONG_AUDIENCE");
      for (const claims of [{ aud: "another-client" }, { aud: "another-client", nonce: undefined }]) {
        const jwt = await stack().idp.token("eve@example.com", claims);
        expect(await refused({ jwt, scope })).toEqual(wrong);
      }
      // The web client always sends a nonce; only the device client's tokens may lack one.
      const bare = await stack().idp.token("eve@example.com", { nonce: undefined });
      expect(await refused({ jwt: bare, scope })).toEqual(wrong);
    });

    it("circuits F3: a service account's token for our device client, before anything is paid", async () => {
      const jwt = await stack().idp.token("robot@free-project.iam.gserviceaccount.com", {
        ...{ aud: "device", nonce: undefined },
      });
      expect(await refused({ jwt, scope })).toEqual(invalid("email", "MACHINE_ACCOUNT"));
    });

    it("a token whose audience is missing or a list", async () => {
      const { idp } = stack();
      const listed = await idp.token("eve@example.com", { aud: ["web"] });
      expect(await refused({ jwt: listed, scope })).toEqual(invalid("jwt", "CLAIM_INVALID"));
      const none = await idp.token("eve@example.com", { aud: undefined });
      expect(await refused({ jwt: none, scope })).toEqual(invalid("jwt", "CLAIM_MISSING"));
    });

    it("a token signed by somebody else under the issuer's key id", async () => {
      const { idp } = stack();
      const { kid } = await import("jose").then(({ decodeProtectedHeader }) =>
        decodeProtectedHeader(String(stack().inputs.jwt)),
      );
      const forger = await testIssuer(String(kid));
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: idp.url, aud: "web", sub: "1", email: "eve@example.com", email_verified: true };
      const jwt = await forger.sign({ ...claims, iat: now, exp: now + 600 });
      expect(await refused({ jwt, scope })).toEqual(invalid("jwt", "TOKEN_SIGNATURE"));
      // Bringing the forger's own key set along makes it worse, not better.
      const jwks = { keys: [forger.jwk] };
      expect(await refused({ jwt, jwks, scope })).toEqual(invalid("jwks", "KEY_UNKNOWN"));
    });

    it("a token and key set of an issuer of the client's own making", async () => {
      const own = await testIssuer("own");
      const now = Math.floor(Date.now() / 1000);
      const person = { aud: "web", sub: "1", email: "eve@example.com", email_verified: true };
      const claims = { ...person, iat: now, exp: now + 600 };
      const jwks = { keys: [own.jwk] };
      const selfIssued = await own.sign({ iss: "https://evil.example", ...claims });
      expect(await refused({ jwt: selfIssued, jwks, scope })).toEqual(invalid("iss", "ISSUER_NOT_TRUSTED"));
      const borrowedName = await own.sign({ iss: stack().idp.url, ...claims });
      expect(await refused({ jwt: borrowedName, jwks, scope })).toEqual(invalid("jwks", "KEY_UNKNOWN"));
      expect(await refused({ jwt: borrowedName, scope })).toEqual(invalid("jwt", "KEY_UNKNOWN"));
    });

    it("an honest token with a key set that lacks or alters its key", async () => {
      const { jwt } = stack().inputs;
      const [key] = stack().idp.jwks.keys;
      const altered = { ...key, n: `${String(key?.n).slice(0, -1)}A` };
      for (const keys of [[], [altered], [{ ...key, kid: "other" }]]) {
        const answer = await refused({ jwt, jwks: { keys }, scope });
        expect(answer).toEqual(invalid("jwks", "KEY_UNKNOWN"));
      }
    });

    it("a token of the other provider, in either direction", async () => {
      const { idp, otherIdp } = stack();
      const a = await idp.token("eve@example.com");
      const b = await otherIdp.token("eve@example.com");
      const mismatch = invalid("provider", "PROVIDER_MISMATCH");
      expect(await refused({ jwt: a, scope, provider: "provider_b" })).toEqual(mismatch);
      expect(await refused({ jwt: b, scope, provider: "provider_a" })).toEqual(mismatch);
      expect(await refused({ jwt: b, scope })).toEqual(mismatch);
    });

    it.each([
      ["no token", { scope }, "jwt"],
      ["a token that is a number", { jwt: 5, scope }, "jwt"],
      ["a token of 9,000 characters", { jwt: "a".repeat(9000), scope }, "jwt"],
      ["no scope", { jwt: "a.b.c" }, "scope"],
      ["an empty scope", { jwt: "a.b.c", scope: "" }, "scope"],
      ["a provider that does not exist", { jwt: "a.b.c", scope, provider: "provider_c" }, "provider"],
      ["a key set that is a list", { jwt: "a.b.c", scope, jwks: [] }, "jwks"],
      ["a token that is not one", { jwt: "a.b.c", scope }, "jwt"],
    ])("%s", async (_, wrong, field) => {
      expect((await refused(wrong)).slice(0, 3)).toEqual([400, "INVALID_INPUTS", field]);
    });

    it("issuers whose keys are out of reach are a reason to come back, not to pay", async () => {
      const away = await stack().start({
        deployment: {
          ...stack().deployment,
          issuers: [{ ...stack().idp.description, jwksUri: "http://127.0.0.1:9/jwks" }],
        },
      });
      const { header, left } = await stack().pay(away.client);
      const inputs = { ...stack().inputs, jwks: undefined };
      const { status, error, headers } = await away.client.buy(inputs, header);
      expect([status, error?.error, error?.reason]).toEqual([503, "BUSY", "issuer_unavailable"]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await left()).toBe(price);
    });
  });

  describe("refusing a body", () => {
    const post = async (body: string, type = "application/json") => {
      const response = await fetch(`${stack().prover.client.url}/api/v1/prove`, {
        method: "POST",
        headers: { "content-type": type },
        body,
      });
      const { error } = z.object({ error: z.string() }).parse(await response.json());
      return [response.status, error];
    };

    it("that is not JSON, or not declared as JSON", async () => {
      expect(await post("{")).toEqual([400, "INVALID_REQUEST"]);
      expect(await post(JSON.stringify({ circuit }), "text/plain")).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
      const scripted = await post(JSON.stringify({ circuit }), "application/jsonp");
      expect(scripted).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    });

    it("of the wrong shape", async () => {
      expect(await post("[]")).toEqual([400, "INVALID_REQUEST"]);
      expect(await post("null")).toEqual([400, "INVALID_REQUEST"]);
      expect(await post("{}")).toEqual([400, "INVALID_CIRCUIT"]);
      expect(await post(JSON.stringify({ circuit, inputs: "text" }))).toEqual([400, "INVALID_INPUTS"]);
    });

    it("that is too large, too deep or has too many parts", async () => {
      const large = JSON.stringify({ circuit, inputs: { jwt: "a".repeat(70_000) } });
      expect(await post(large)).toEqual([413, "PAYLOAD_TOO_LARGE"]);
      expect(await post(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`)).toEqual([400, "INVALID_REQUEST"]);
      const many = JSON.stringify({ circuit, inputs: { a: Array(6000).fill(1) } });
      expect(await post(many)).toEqual([400, "INVALID_REQUEST"]);
    });
  });
}
