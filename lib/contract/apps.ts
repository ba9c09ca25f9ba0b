import { z } from "zod";
import { appClaims } from "./app-claims";
import { dateTime, text, uuid } from "./common";
import { LIMITS } from "./limits";
import { operation } from "./operation";

const { apps: limits } = LIMITS;

/** Addresses at which a program on the person's own computer listens (RFC 8252, 7.3). */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** An address that an answer may be sent to: https, or http on the person's own computer. */
const redirectUri = z
  .string()
  .max(limits.redirectUri, { abort: true })
  .refine(
    (uri) => {
      if (!URL.canParse(uri) || uri.includes("#")) return false;
      const { protocol, hostname, username, password, href } = new URL(uri);
      // What the browser would change could not be compared.
      if (username || password || ![href, href.replace(/\/$/, "")].includes(uri)) return false;
      return protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));
    },
    {
      error:
        "must be an https address, or an http one on localhost, without a fragment, a name or a password",
    },
  );

const app = z
  .object({
    clientId: uuid.describe("Id of the app, its `client_id`."),
    name: z.string().describe("Its name, which people see when they sign in."),
    kind: z
      .enum(["server", "browser"])
      .describe("`server`: it keeps a secret; `browser`: it runs where it cannot, and has none."),
    redirectUris: z.array(z.string()).describe("Where answers may be sent."),
    createdAt: dateTime,
  })
  .meta({ id: "App" });
export type App = z.infer<typeof app>;

const secret = z.string().describe("Its `client_secret`, which is shown only now.");
const params = z.object({ clientId: uuid.describe("Id of the app.") });
const own = {
  tag: "apps",
  auth: "required",
  access: "signed-in",
  guestsSee: false,
  personOnly: true,
} as const;

export const createApp = operation({
  id: "apps.create",
  method: "POST",
  path: "/api/apps",
  summary: "Register an app that people sign in to with Parley",
  description:
    "The app is an OpenID Connect client: its discovery document is `/.well-known/openid-configuration`. It takes the code flow with PKCE, knows each person by an id that no other app has, and learns what they consent to: `domain`, `country_in` and `human`.",
  ...own,
  nickname: true,
  limit: { points: 10, seconds: 60 },
  body: z.object({
    name: text(limits.name).describe("Its name, which people see when they sign in."),
    kind: app.shape.kind,
    redirectUris: z
      .array(redirectUri)
      .min(1)
      .max(limits.redirectUris)
      .refine((uris) => new Set(uris.map((uri) => URL.canParse(uri) && new URL(uri).origin)).size === 1, {
        error: "must have the same scheme, host and port: people are shown one place",
      })
      .describe("Where answers may be sent: exactly these addresses, all of one origin."),
  }),
  responses: {
    201: z.object({
      app: app.describe("The app."),
      clientSecret: secret
        .nullable()
        .describe("Its `client_secret`, which is shown only now; null for `browser`."),
    }),
  },
  errors: ["too_many_apps"],
});

export const listApps = operation({
  id: "apps.list",
  method: "GET",
  path: "/api/apps",
  summary: "The caller's apps, latest first",
  ...own,
  nickname: false,
  limit: { points: 60, seconds: 60 },
  responses: { 200: z.object({ apps: z.array(app).describe("The apps.") }) },
});

export const renewAppSecret = operation({
  id: "apps.renewSecret",
  method: "POST",
  path: "/api/apps/{clientId}/secret",
  summary: "Replace the secret of an app",
  description: "The former one ends at once. People keep the ids by which the app knows them.",
  ...own,
  nickname: false,
  limit: { points: 10, seconds: 60 },
  params,
  responses: { 200: z.object({ clientSecret: secret }) },
  errors: ["app_not_found"],
});

export const deleteApp = operation({
  id: "apps.delete",
  method: "DELETE",
  path: "/api/apps/{clientId}",
  summary: "Delete an app",
  description: "Nobody can sign in to it any more. Operators can delete the apps of everybody.",
  ...own,
  nickname: false,
  limit: { points: 60, seconds: 60 },
  params,
  responses: { 200: z.object({ success: z.literal(true) }) },
  errors: ["app_not_found"],
});

/** What the OpenID provider gives out: random ids in base64url. */
export const providerId = z.string().regex(/^[\w-]{1,100}$/);

export const answerApp = operation({
  id: "apps.answer",
  method: "POST",
  path: "/api/apps/requests/{appRequestId}",
  summary: "Sign in to an app, or decline",
  description:
    "For the page on which a person decides: only it has the ticket, and only in the browser in which the request began. The app gets exactly what `claims` names, when the browser follows `redirectTo`.",
  ...own,
  nickname: false,
  limit: { points: 30, seconds: 60 },
  params: z.object({
    appRequestId: providerId.describe("Id of the request."),
  }),
  body: z.object({
    ticket: z.string().max(100).describe("Shows that this browser began the request."),
    allow: z.boolean().describe("Whether to sign in."),
    claims: z
      .array(z.enum(appClaims))
      .max(appClaims.length)
      .default([])
      .describe("What to tell the app, of what it asks for."),
  }),
  responses: {
    200: z.object({ redirectTo: z.url().describe("Where the browser goes on.") }),
  },
  errors: ["app_request_not_found", "app_claim_required"],
});
