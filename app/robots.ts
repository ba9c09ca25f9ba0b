import type { MetadataRoute } from "next";
import { getServices } from "@/lib/runtime/services";

export const dynamic = "force-dynamic";

/**
 * What crawlers may read. It names no topic: the pages that are not for them say so themselves, which only those who
 * may read them can see.
 */
export default async function robots(): Promise<MetadataRoute.Robots> {
  const { deployment } = await getServices();
  return {
    // Pictures in posts and their previews go through the API, and belong to the pages they are on.
    rules: { userAgent: "*", allow: ["/", "/api/og/image"], disallow: ["/api/"] },
    sitemap: new URL("/sitemap.xml", deployment.services.appUrl).href,
  };
}
