import { cookies } from "next/headers";
import * as community from "@/lib/community";
import { AUTHORIZE, REQUEST_COOKIE } from "@/lib/http/oidc/names";
import { pageContext } from "@/lib/http/page";
import { memberContext } from "./result";
import { withQuery } from "./search-params";

/** What the page about an app's request shows: the request, the way to sign in first, or null where it is not open here. */
export type AppToAnswer = Awaited<ReturnType<typeof appToAnswer>>;

/** Reads an app's request to sign in, in the browser in which it began. */
export async function appToAnswer(requestId: string) {
  const jar = await cookies();
  // Whoever got the page's address from somebody else would sign that somebody in.
  if (jar.get(REQUEST_COOKIE)?.value !== requestId) return null;
  const ctx = await memberContext();
  if (ctx) return await community.readAppRequest(ctx, requestId);
  const app = await community.appOfRequest(await pageContext(), requestId);
  return app && { app, signIn: withQuery("/sign-in", { next: `${AUTHORIZE}/${requestId}` }) };
}

/** Apps of the visitor, latest first; null for a guest. */
export async function ownApps() {
  const ctx = await memberContext();
  return ctx && (await community.listApps(ctx, {})).apps;
}
