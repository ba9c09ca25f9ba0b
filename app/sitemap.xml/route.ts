import { publicDocument } from "@/lib/http/public-document";
import { sitemap } from "@/lib/metadata/sitemap";

/** Made for each request: while the app is built there is no database to read. */
export const dynamic = "force-dynamic";

export const GET = publicDocument("sitemap", ({ ctx }) => sitemap(ctx));
