import { getServerSession } from "next-auth";
import { cache } from "react";
import type { Context } from "@/lib/context";
import { getServices } from "@/lib/runtime/services";
import { authOptions } from "./auth-options";
import { makeContext } from "./context";

/**
 * The context of a server component, so that pages call lib/community as routes do. Once per request. A session that
 * is not valid any more makes its visitor a guest: a page cannot answer 401.
 */
export const pageContext: () => Promise<Context> = cache(async () => {
  const services = await getServices();
  const session = await getServerSession(authOptions(services));
  return makeContext(services, session?.caller ?? null);
});
