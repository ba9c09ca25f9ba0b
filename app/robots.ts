import type { MetadataRoute } from "next";
import { getServices } from "@/lib/runtime/services";

export const dynamic = "force-dynamic";

/** What crawlers may read. It names no private page; those are `noindex` instead, which only their readers can see. */
export default async function robots(): Promise<MetadataRoute.Robots> {
  const { deployment } = await getServices();
  return {
    // Pages load the pictures of posts and link previews from the API, and its documents are for programs to read.
    rules: { userAgent: "*", allow: ["/", "/api/docs/", "/api/og/image"], disallow: ["/api/"] },
    sitemap: new URL("/sitemap.xml", deployment.services.appUrl).href,
  };
}
