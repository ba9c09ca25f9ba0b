import type { MetadataRoute } from "next";
import { getWords } from "@/lib/i18n/server";

/** How the site presents itself when installed. */
export default async function manifest(): Promise<MetadataRoute.Manifest> {
  const { t } = await getWords();
  return {
    name: t("common.name"),
    short_name: t("common.name"),
    description: t("common.tagline"),
    start_url: "/",
    display: "standalone",
    background_color: "#fbfaf7",
    theme_color: "#fbfaf7",
    icons: [
      { src: "/icons/seal-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icons/seal-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icons/seal-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  };
}
