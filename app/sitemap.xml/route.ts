import { publicDocument } from "@/lib/http/public-document";
import { sitemap } from "@/lib/metadata/sitemap";

export const GET = publicDocument("sitemap", ({ ctx }) => sitemap(ctx));
