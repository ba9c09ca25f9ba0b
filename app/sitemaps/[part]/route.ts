import { publicDocument } from "@/lib/http/public-document";
import { sitemapPart } from "@/lib/metadata/sitemap";

export const GET = publicDocument("sitemap", ({ ctx, params }) => sitemapPart(ctx, String(params.part)));
