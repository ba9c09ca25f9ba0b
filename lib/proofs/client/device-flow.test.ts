import { describe, expect, it } from "vitest";
import { awaitDeviceLogin, startDeviceLogin } from "./device-flow";

const issuer = {
  authorizationEndpoint: "https://idp.test/auth?tenant=1",
  deviceAuthorizationEndpoint: "https://idp.test/device",
  tokenEndpoint: "https://idp.test/token",
  webClientId: "web",
  deviceClientId: "device",
  deviceClientSecret: "public",
};

describe("device flow", () => {
  const started = {
    device_code: "dc",
    user_code: "AB-CD",
    verification_uri: "https://idp.test/go",
    expires_in: 600,
  };

  /** A provider that gives these answers in turn and keeps what it was asked. */
  function provider(answers: (object | Error)[]) {
    const asked: { url: string; form: Record<string, string> }[] = [];
    const slept: number[] = [];
    let now = 0;
    return {
      asked,
      slept,
      options: {
        now: () => now,
        sleep: async (ms: number) => {
          slept.push(ms);
          now += ms;
        },
        fetch: (async (url, init) => {
          asked.push({ url: String(url), form: Object.fromEntries(new URLSearchParams(String(init?.body))) });
          const answer = answers.shift() ?? { error: "authorization_pending" };
          if (answer instanceof Error) throw answer;
          return Response.json(answer, { status: "error" in answer ? 400 : 200 });
        }) satisfies typeof fetch,
      },
    };
  }

  it("shows a code, waits as told, and returns the id token", async () => {
    const idp = provider([
      started,
      { error: "authorization_pending" },
      { error: "slow_down" },
      new TypeError("network"),
      { id_token: "a.b.c", access_token: "x" },
    ]);
    const login = await startDeviceLogin(issuer, idp.options);
    expect(login).toMatchObject({
      userCode: "AB-CD",
      verificationUri: "https://idp.test/go",
      interval: 5,
      expiresAt: 600_000,
    });
    expect(await awaitDeviceLogin(issuer, login, idp.options)).toBe("a.b.c");
    expect(idp.slept).toEqual([5000, 5000, 10_000, 15_000]);
    expect(idp.asked[0]).toEqual({
      url: issuer.deviceAuthorizationEndpoint,
      form: { client_id: "device", scope: "openid email" },
    });
    expect(idp.asked[1]).toEqual({
      url: issuer.tokenEndpoint,
      form: {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        device_code: "dc",
        client_id: "device",
        client_secret: "public",
      },
    });
  });

  it("reads Google's spelling of the address", async () => {
    const { verification_uri, ...rest } = started;
    const idp = provider([{ ...rest, verification_url: verification_uri }]);
    expect((await startDeviceLogin(issuer, idp.options)).verificationUri).toBe("https://idp.test/go");
  });

  it("ends when declined, expired, refused, or without an id token", async () => {
    for (const [answer, code] of [
      [{ error: "access_denied" }, "DENIED"],
      [{ error: "expired_token" }, "EXPIRED"],
      [{ error: "invalid_client" }, "PROVIDER_REFUSED"],
      [{ access_token: "only" }, "NO_TOKEN"],
    ] as const) {
      const idp = provider([started, answer]);
      const login = await startDeviceLogin(issuer, idp.options);
      await expect(awaitDeviceLogin(issuer, login, idp.options)).rejects.toMatchObject({ code });
    }
    const never = provider([started]);
    const login = await startDeviceLogin(issuer, never.options);
    await expect(awaitDeviceLogin(issuer, login, never.options)).rejects.toMatchObject({ code: "EXPIRED" });
    expect(never.slept).toHaveLength(120);
    await expect(
      startDeviceLogin(issuer, provider([{ error: "invalid_client" }]).options),
    ).rejects.toMatchObject({
      code: "PROVIDER_REFUSED",
      reason: "invalid_client",
    });
    await expect(startDeviceLogin(issuer, provider([new TypeError("x")]).options)).rejects.toMatchObject({
      code: "PROVIDER_UNREACHABLE",
    });
  });
});
