import { generateKeyPairSync } from "node:crypto";
import type { Server } from "node:http";
import { createLocalJWKSet, createRemoteJWKSet, exportJWK, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../ports";
import { issuerDescription } from "./description";
import { createProvider } from "./provider";
import { createIdpServer } from "./server";
import { deviceIdToken, hiddenFields, implicitIdToken, Visitor } from "./sign-in";

const APP = "http://localhost:3999";
let server: Server;
let issuer: ReturnType<typeof issuerDescription>;

beforeAll(async () => {
  const port = await freePort();
  const base = `http://localhost:${port}`;
  issuer = issuerDescription(base, "provider_a");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = { ...(await exportJWK(privateKey)), kty: "RSA", kid: "test", use: "sig", alg: "RS256" };
  const provider = createProvider({
    issuer: base,
    signingKeys: [key],
    cookieKey: "a".repeat(32),
    clientOrigins: [APP],
  });
  server = createIdpServer(provider);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe("browser flow (implicit id_token)", () => {
  it("returns a signed token with address, verified flags and the caller's nonce in the fragment", async () => {
    const token = await implicitIdToken(issuer, {
      email: "Mina.Park@Acme.example",
      nonce: "0xabc",
      redirectUri: `${APP}/sign-in/callback`,
    });
    const { payload, protectedHeader } = await jwtVerify(token, createRemoteJWKSet(new URL(issuer.jwksUri)), {
      issuer: issuer.issuer,
      audience: issuer.webClientId,
    });
    expect(protectedHeader.alg).toBe("RS256");
    expect(payload).toMatchObject({
      email: "mina.park@acme.example",
      email_verified: true,
      xms_edov: true,
      nonce: "0xabc",
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
  });

  it("leaves at most 640 base64 characters from the first claim needed on, for the longest address and nonce", async () => {
    const email = `${"l".repeat(63)}@${"d".repeat(56)}.example`;
    const nonce = "n".repeat(64);
    const token = await implicitIdToken(issuer, { email, nonce, redirectUri: `${APP}/` });
    const payload = Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
    const keys = ["email", "email_verified", "nonce", "iat", "aud"].map((key) =>
      payload.indexOf(`"${key}":`),
    );
    expect(Math.min(...keys)).toBeGreaterThan(0);
    const rest = payload.length - Math.min(...keys);
    // The hash continues at a 64-byte boundary of the signed data, up to 63 characters earlier.
    expect(Math.ceil((rest * 4) / 3) + 63).toBeLessThanOrEqual(640);
  });

  it("sends tokens to known origins only", async () => {
    await expect(
      implicitIdToken(issuer, { email: "a@b.example", nonce: "n", redirectUri: "http://evil.example/" }),
    ).rejects.toThrow("authorization refused");
  });

  it("asks again when what was typed is no address, and says so", async () => {
    const visitor = new Visitor(issuer.issuer);
    const query = new URLSearchParams({
      client_id: issuer.webClientId,
      response_type: "id_token",
      scope: "openid email",
      nonce: "n",
      redirect_uri: `${APP}/`,
    });
    const login = await visitor.get(`${issuer.authorizationEndpoint}?${query}`);
    for (const email of ['a"b@acme.example', "a@b@acme.example", "nobody", "x@-_-!"]) {
      const again = await visitor.post(login.url, { email });
      expect(again.status).toBe(400);
      expect(again.body).toContain('role="alert"');
    }
    expect((await visitor.post(login.url, { cancel: "yes" })).leftFor).toContain("error=access_denied");
  });
});

describe("device flow", () => {
  it("gives an agent a token without nonce after somebody approved the code", async () => {
    const token = await deviceIdToken(issuer, "agent@northwind.example");
    const keys = createLocalJWKSet(await (await fetch(issuer.jwksUri)).json());
    const { payload } = await jwtVerify(token, keys, { audience: issuer.deviceClientId });
    expect(payload).toMatchObject({ email: "agent@northwind.example", email_verified: true });
    expect(payload).not.toHaveProperty("nonce");
  });

  it("refuses a wrong code", async () => {
    const visitor = new Visitor(issuer.issuer);
    const start = await visitor.get(`${issuer.issuer}/device`);
    const { xsrf = "" } = hiddenFields(start.body);
    const page = await visitor.post(`${issuer.issuer}/device`, {
      xsrf,
      user_code: "BBBB-CCCC",
      confirm: "yes",
    });
    expect(page.body).toContain("not valid here");
  });
});

describe("browser clients", () => {
  it.each([
    ["/.well-known/openid-configuration", "GET"],
    ["/jwks", "GET"],
    ["/device/auth", "POST"],
  ])("may call %s from the app's origin", async (path, method) => {
    const init =
      method === "GET"
        ? { headers: { origin: APP } }
        : {
            method,
            headers: { origin: APP },
            body: new URLSearchParams({ client_id: issuer.deviceClientId, scope: "openid email" }),
          };
    const response = await fetch(`${issuer.issuer}${path}`, init);
    expect(response.status).toBe(200);
    expect(["*", APP]).toContain(response.headers.get("access-control-allow-origin"));
  });
});
