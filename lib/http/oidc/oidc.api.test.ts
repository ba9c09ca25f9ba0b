import * as oidc from "openid-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusalOf, signIn, verified } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { REQUEST_COOKIE } from "./names";
import {
  addressOf,
  appOf,
  type Begun,
  Browser,
  begin,
  decide,
  home,
  issuer,
  pageOf,
  sendTo,
  signInTo,
} from "./testing";

let h: Harness;
let owner: TestUser;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
});
afterAll(() => h.close());

const newApp = async (kind?: "server" | "browser") => await appOf(h, await signIn(h), kind);
const { answer, create, list, renewSecret } = contract.apps;

/** How an app asks for claims, as stock clients send it. */
const asking = (claims: object) => ({ claims: JSON.stringify({ id_token: claims }) });
const allScopes = { scope: "openid domain country_in human" };

/** A user who has proven a domain, a list of countries and that they are a person. */
async function provenUser(): Promise<TestUser> {
  const user = await signIn(h);
  await verified(h, user, { domain: "Acme.example" });
  await verified(h, user, { circuit: "partner_country_attestation", countries: ["FR", "DE"] });
  await verified(h, user, { circuit: "network_eligibility" });
  return user;
}

/** What an app learns of a person beside the id. */
function learned(claims: object | undefined) {
  const protocol = ["aud", "exp", "iat", "iss", "nonce", "sub"];
  return Object.fromEntries(Object.entries(claims ?? {}).filter(([name]) => !protocol.includes(name)));
}

/** Where a browser is sent; the answer of the app's address is of no interest. */
const locationOf = (response: Response) => new URL(response.headers.get("location") ?? "", issuer);

describe("signing in with Parley", () => {
  it("gives an app an id of its own for the person, and nothing else", async () => {
    const user = await provenUser();
    const { tokens, claims, begun } = await signInTo(h, await newApp(), user);
    expect(claims?.sub).toMatch(/^[\w-]{43}$/);
    expect(Object.keys(claims ?? {}).sort()).toEqual(["aud", "exp", "iat", "iss", "nonce", "sub"]);
    expect(Object.keys(tokens).sort()).toEqual([
      "access_token",
      "expires_in",
      "id_token",
      "scope",
      "token_type",
    ]);
    expect(JSON.stringify(tokens)).not.toContain(user.userId);
    // No cookie of the provider stays, but the one that names the ended request.
    expect(begun.browser.cookieNames).toEqual([REQUEST_COOKIE]);
  });

  it("gives the same id again, another one to another app, and keeps it when the secret is replaced", async () => {
    const user = await signIn(h);
    const [app, other] = [await appOf(h, owner), await newApp()];
    const subOf = async (it: typeof app) => (await signInTo(h, it, user)).claims?.sub;
    const first = await subOf(app);
    expect(await subOf(app)).toBe(first);
    expect(await subOf(other)).not.toBe(first);
    const { clientSecret } = await owner.api.call(renewSecret, { clientId: app.clientId });
    expect(clientSecret).not.toBe(app.secret);
    const refused = await signInTo(h, app, user).catch((error: unknown) => error);
    expect(refused).toMatchObject({ error: "invalid_client" });
    const renewed = new oidc.Configuration(app.config.serverMetadata(), app.clientId, clientSecret);
    oidc.allowInsecureRequests(renewed);
    Object.assign(renewed, { [oidc.customFetch]: app.config[oidc.customFetch] });
    expect(await subOf({ ...app, config: renewed })).toBe(first);
  });

  it("tells what the person allowed of what the app asks, in the token and by userinfo", async () => {
    const user = await provenUser();
    const app = await newApp();
    const told = { domain: "acme.example", country_in: ["FR", "DE"], human: true };
    const all = await signInTo(h, app, user, {
      claims: ["domain", "country_in", "human"],
      more: allScopes,
    });
    expect(learned(all.claims)).toEqual(told);
    const info = await oidc.fetchUserInfo(app.config, all.tokens.access_token, all.claims?.sub ?? "");
    expect(info).toEqual({ sub: all.claims?.sub, ...told });
    const some = await signInTo(h, app, user, { claims: ["human"], more: allScopes });
    expect(learned(some.claims)).toEqual({ human: true });
    expect(
      learned(await oidc.fetchUserInfo(app.config, some.tokens.access_token, some.claims?.sub ?? "")),
    ).toEqual({ human: true });
    // What it did not ask for is not told, whatever the answer names.
    const less = await signInTo(h, app, user, {
      claims: ["domain", "human"],
      more: { scope: "openid human" },
    });
    expect(learned(less.claims)).toEqual({ human: true });
  });

  it("tells nothing that is not proven, is a mail provider's, or whose proof has lapsed", async () => {
    const user = await signIn(h);
    await verified(h, user, { domain: "gmail.com" });
    await verified(h, user, { domain: "old.example", expiresAt: new Date(Date.now() - 1000) });
    await verified(h, user, {
      circuit: "partner_country_attestation",
      ...{ countries: ["KP"], countriesIncluded: false },
    });
    const claims = ["domain", "country_in", "human"] as const;
    const signedIn = await signInTo(h, await newApp(), user, { claims, more: allScopes });
    expect(learned(signedIn.claims)).toEqual({});
  });

  it.each([
    [
      "a domain among several",
      { domain: { values: ["other.example", "acme.example"] } },
      { domain: "acme.example" },
    ],
    ["a domain that is not theirs", { domain: { value: "other.example" } }, {}],
    [
      "a wider list of countries",
      { country_in: { values: ["DE", "FR", "NL"] } },
      { country_in: ["DE", "FR", "NL"] },
    ],
    ["a narrower list of countries", { country_in: { values: ["DE"] } }, {}],
    ["values that no claim has", { country_in: { values: ["Germany", 7] } }, {}],
    ["a claim without values", { human: null, domain: null }, { human: true, domain: "acme.example" }],
    ["claims that Parley does not know", { email: { essential: true } }, {}],
  ])("answers %s", async (_, asked, expected) => {
    const claims = ["domain", "country_in", "human"] as const;
    const { claims: told } = await signInTo(h, await newApp(), await provenUser(), {
      claims,
      more: asking(asked),
    });
    expect(learned(told)).toEqual(expected);
  });

  it("refuses an answer without what the app cannot do without, and lets the person decline", async () => {
    const user = await signIn(h);
    const begun = await begin(h, await newApp(), asking({ domain: { essential: true } }));
    expect(await refusalOf(decide(h, user, begun, { claims: ["domain"] }))).toMatchObject({
      ...{ status: 409, code: "app_claim_required", field: "claims.domain" },
    });
    const declined = locationOf(await begun.browser.get(await decide(h, user, begun, { allow: false })));
    expect(declined.origin + declined.pathname).toBe(home);
    expect(declined.searchParams.get("error")).toBe("access_denied");
    expect(declined.searchParams.has("code")).toBe(false);
  });

  it("lets apps in browsers exchange codes without a secret, from their own origin", async () => {
    const app = await newApp("browser");
    expect(app.secret).toBeNull();
    expect((await signInTo(h, app, await signIn(h))).claims?.sub).toMatch(/^[\w-]{43}$/);
    const corsOf = async (origin: string) => {
      const body = new URLSearchParams({ client_id: app.clientId, grant_type: "authorization_code" });
      const headers = { origin };
      const request = new Request(new URL("/oidc/token", issuer), { method: "POST", headers, body });
      return (await sendTo(h)(request)).headers.get("access-control-allow-origin");
    };
    expect(await corsOf("https://app.example")).toBe("https://app.example");
    expect(await corsOf("https://elsewhere.example")).toBeNull();
  });
});

describe("what keeps a sign-in with Parley to its person and app", () => {
  it("is answered only with the ticket of the page, and only by whom the page was for", async () => {
    const [user, other] = [await signIn(h), await signIn(h)];
    const begun = await begin(h, await newApp());
    const page = await pageOf(h, user, begun);
    const sent = { appRequestId: begun.requestId, allow: true, ticket: page?.ticket ?? "" };
    const gone = { status: 404, code: "app_request_not_found" };
    expect(await refusalOf(other.api.call(answer, sent))).toMatchObject(gone);
    expect(await refusalOf(user.api.call(answer, { ...sent, ticket: "" }))).toMatchObject(gone);
    expect(await refusalOf(user.api.call(answer, { ...sent, appRequestId: "another" }))).toMatchObject(gone);
    expect(await pageOf(h, user, { requestId: "another" })).toBeNull();
    await user.api.call(answer, sent);
  });

  it("is finished only in the browser in which it began, and only after the person decided", async () => {
    const user = await signIn(h);
    const begun = await begin(h, await newApp());
    const back = `/oidc/auth/${begun.requestId}`;
    const other = new Browser(sendTo(h));
    const early = locationOf(await begun.browser.get(back));
    expect(early.pathname).toMatch(/^\/authorize\//);
    const again = { ...begun, requestId: early.pathname.slice("/authorize/".length) };
    const redirectTo = await decide(h, user, again);
    const stolen = await other.get(redirectTo);
    expect(locationOf(stolen).href).toBe(`${issuer.href}authorize?problem=invalid_request`);
    expect(locationOf(await begun.browser.get(redirectTo)).searchParams.has("code")).toBe(true);
    // Each answer is for one sign-in.
    expect(locationOf(await begun.browser.get(redirectTo)).searchParams.has("code")).toBe(false);
  });

  it("exchanges a code once, of ten at once, and ends what it gave out when it comes again", async () => {
    const app = await newApp();
    const begun = await begin(h, app);
    const location = locationOf(await begun.browser.get(await decide(h, await signIn(h), begun)));
    const exchange = () => oidc.authorizationCodeGrant(app.config, location, begun.checks);
    const tried = await Promise.allSettled(Array.from({ length: 10 }, exchange));
    const taken = tried.filter((one) => one.status === "fulfilled");
    expect(taken).toHaveLength(1);
    const [first] = taken;
    if (!first) throw new Error("none was exchanged");
    const { access_token } = first.value;
    await expect(exchange()).rejects.toMatchObject({ error: "invalid_grant" });
    const sub = first.value.claims()?.sub ?? "";
    await expect(oidc.fetchUserInfo(app.config, access_token, sub)).rejects.toMatchObject({ status: 401 });
  });

  it("exchanges no code for another app, with another secret, verifier or address", async () => {
    const [app, other, user] = [await newApp(), await newApp(), await signIn(h)];
    const codeOf = async () => {
      const begun = await begin(h, app);
      const location = locationOf(await begun.browser.get(await decide(h, user, begun)));
      return { begun, code: location.searchParams.get("code") ?? "" };
    };
    const exchange = async (more: (its: { begun: Begun; code: string }) => Record<string, string>) => {
      const its = await codeOf();
      const form = new URLSearchParams({
        ...{ grant_type: "authorization_code", code: its.code, redirect_uri: home },
        ...{ client_id: app.clientId, client_secret: app.secret ?? "" },
        code_verifier: its.begun.checks.pkceCodeVerifier ?? "",
        ...more(its),
      });
      const sent = await sendTo(h)(
        new Request(new URL("/oidc/token", issuer), { method: "POST", body: form }),
      );
      const { error }: { error?: string } = await sent.json();
      return [sent.status, error];
    };
    expect(await exchange(() => ({}))).toEqual([200, undefined]);
    const theirs = { client_id: other.clientId, client_secret: other.secret ?? "" };
    expect(await exchange(() => theirs)).toEqual([400, "invalid_grant"]);
    expect(await exchange(() => ({ client_secret: "x".repeat(43) }))).toEqual([401, "invalid_client"]);
    expect(await exchange(() => ({ code_verifier: "x".repeat(43) }))).toEqual([400, "invalid_grant"]);
    expect(await exchange(() => ({ redirect_uri: `${home}/2` }))).toEqual([400, "invalid_grant"]);
  });

  it.each([
    ["an address that the app did not register", { redirect_uri: `${home}/2` }, "invalid_redirect_uri"],
    ["an app that does not exist", { client_id: crypto.randomUUID() }, "invalid_client"],
    ["an app whose id has no such form", { client_id: "x'; --" }, "invalid_client"],
  ])("does not send anybody back to %s", async (_, more, problem) => {
    const { address } = await addressOf(await newApp(), more);
    const response = await new Browser(sendTo(h)).get(address);
    expect(locationOf(response).href).toBe(`${issuer.href}authorize?problem=${problem}`);
  });

  it.each([
    ["without PKCE", { code_challenge: "", code_challenge_method: "" }, "invalid_request"],
    ["that wants to ask nobody", { prompt: "none" }, "login_required"],
    ["of the implicit flow", { response_type: "id_token" }, "unsupported_response_type"],
  ])("refuses a request %s", async (_, more, error) => {
    const { address } = await addressOf(await newApp(), more);
    const back = locationOf(await new Browser(sendTo(h)).get(address));
    const answered = new URLSearchParams(back.search || back.hash.slice(1));
    expect([back.origin + back.pathname, answered.get("error")]).toEqual([home, error]);
  });

  it("ends with the suspension of a person, and with the suspension or departure of an app's owner", async () => {
    const suspend = async ({ userId }: TestUser) => {
      const { identity_hash } = await h.db
        .selectFrom("users")
        .select("identity_hash")
        .where("id", "=", userId)
        .executeTakeFirstOrThrow();
      const sanction = { identity_hash: identity_hash ?? "", user_id: userId, kind: "suspend" as const };
      const by = { reason: "r", created_at: new Date(), created_by: owner.userId, until: null };
      await h.db
        .insertInto("account_sanctions")
        .values({ ...sanction, ...by })
        .execute();
    };
    const [maker, leaver, user] = [await signIn(h), await signIn(h), await signIn(h)];
    const [app, left] = [await appOf(h, maker), await appOf(h, leaver)];
    const begun = await begin(h, app);
    const back = await decide(h, user, begun);
    await suspend(user);
    const tried = locationOf(await begun.browser.get(back));
    await expect(oidc.authorizationCodeGrant(app.config, tried, begun.checks)).rejects.toThrow();
    const waiting = await begin(h, app);
    const reader = await signIn(h);
    const { ticket } = (await pageOf(h, reader, waiting)) ?? {};
    await suspend(maker);
    expect(await pageOf(h, reader, waiting)).toBeNull();
    const answer = { appRequestId: waiting.requestId, ticket: ticket ?? "", allow: true, claims: [] };
    await expect(reader.api.call(contract.apps.answer, answer)).rejects.toMatchObject({
      code: "app_request_not_found",
    });
    await leaver.api.call(contract.profile.deleteAccount, {});
    for (const { clientId } of [app, left]) {
      const { address } = await addressOf(app, { client_id: clientId });
      const shown = locationOf(await new Browser(sendTo(h)).get(address));
      expect(shown.search).toBe("?problem=invalid_client");
    }
  });

  it.each(["\0", "x".repeat(10_000), "'; --"])("knows no code, token or request %j", async (id) => {
    const { clientId, secret } = await newApp();
    const form = {
      grant_type: "authorization_code",
      code: id,
      redirect_uri: home,
      code_verifier: "v".repeat(43),
    };
    const body = new URLSearchParams({ ...form, client_id: clientId, client_secret: secret ?? "" });
    const code = new Request(new URL("/oidc/token", issuer), { method: "POST", body });
    expect((await sendTo(h)(code)).status).toBe(400);
    const user = await signIn(h);
    expect(await pageOf(h, user, { requestId: id })).toBeNull();
  });

  it("takes neither a long address nor a large form", async () => {
    const long = new Request(new URL(`/oidc/auth?state=${"x".repeat(9000)}`, issuer));
    expect((await sendTo(h)(long)).status).toBe(400);
    const large = { method: "POST", body: new URLSearchParams({ code: "x".repeat(20_000) }) };
    expect((await sendTo(h)(new Request(new URL("/oidc/token", issuer), large))).status).toBe(413);
  });
});

describe("registering an app", () => {
  const asked = { name: "Tea club", kind: "server" as const, redirectUris: [home] };

  it.each([
    ["http of another machine", ["http://app.example/back"], "redirectUris.0"],
    ["another scheme", ["javascript:alert(1)"], "redirectUris.0"],
    ["a fragment", ["https://app.example/#a"], "redirectUris.0"],
    ["a password", ["https://a:b@app.example/"], "redirectUris.0"],
    ["what a browser would change", ["https://APP.example/../back"], "redirectUris.0"],
    ["two places", ["https://app.example/", "https://other.example/"], "redirectUris"],
    ["none", [], "redirectUris"],
  ])("refuses addresses with %s", async (_, redirectUris, field) => {
    const sent = owner.api.call(create, { ...asked, redirectUris });
    expect(await refusalOf(sent)).toMatchObject({ status: 400, code: "invalid_request", field });
  });

  it("takes an address on the developer's own machine", async () => {
    const user = await signIn(h);
    for (const uri of ["http://localhost:3000/back", "http://127.0.0.1:8080/", "http://[::1]:1/x?y=1"]) {
      await user.api.call(create, { ...asked, redirectUris: [uri] });
    }
    expect((await user.api.call(list, {})).apps).toHaveLength(3);
  });

  it("lists an owner's apps alone, and lets nobody else replace a secret or delete one; an operator deletes any", async () => {
    const [maker, other, boss] = [await signIn(h), await signIn(h), await signIn(h, "boss")];
    const { app } = await maker.api.call(create, asked);
    expect((await maker.api.call(list, {})).apps).toEqual([app]);
    expect((await other.api.call(list, {})).apps).toEqual([]);
    const gone = { status: 404, code: "app_not_found" };
    const one = { clientId: app.clientId };
    expect(await refusalOf(other.api.call(renewSecret, one))).toMatchObject(gone);
    expect(await refusalOf(other.api.call(contract.apps.delete, one))).toMatchObject(gone);
    await h.db
      .insertInto("operators")
      .values({ user_id: boss.userId, role: "operator", granted_by: owner.userId, granted_at: new Date() })
      .execute();
    await boss.api.call(contract.apps.delete, one);
    expect(await refusalOf(maker.api.call(contract.apps.delete, one))).toMatchObject(gone);
  });

  it("makes ten of fourteen at once", async () => {
    const maker = await signIn(h);
    const tried = await Promise.allSettled(Array.from({ length: 14 }, () => maker.api.call(create, asked)));
    const made = tried.flatMap((one) => (one.status === "fulfilled" ? [one.value.app.clientId] : []));
    expect(new Set(made).size).toBe(10);
    const refused = tried.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused.map(({ code }) => code)).toEqual(Array(4).fill("too_many_apps"));
  });
});
