import { publicDocument } from "@/lib/http/public-document";
import { sitemap } from "@/lib/metadata/sitemap";

// There is no database to read while the app is built.
export const dynamic = "force-dynamic";

export const GET = publicDocument("sitemap", ({ ctx }) => sitemap(ctx));
