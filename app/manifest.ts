import type { MetadataRoute } from "next";
import { getWords } from "@/lib/i18n/server";

const paper = "#fbfaf7";

/** How the site presents itself when installed. A manifest has one theme colour; each page says both (app/layout.tsx). */
export default async function manifest(): Promise<MetadataRoute.Manifest> {
  const { t, locale } = await getWords();
  const icons = [{ src: "/icons/seal-192.png", sizes: "192x192", type: "image/png" }];
  return {
    // What is installed stays the same app, whatever it will start with.
    id: "/",
    name: t("common.name"),
    short_name: t("common.name"),
    description: t("common.tagline"),
    lang: locale,
    dir: "ltr",
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: paper,
    theme_color: paper,
    categories: ["social"],
    icons: [
      ...icons,
      { src: "/icons/seal-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icons/seal-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
    shortcuts: [
      { name: t("offline.writePost"), short_name: t("nav.write"), url: "/write", icons },
      { name: t("nav.alerts"), url: "/alerts", icons },
      { name: t("nav.explore"), url: "/topics", icons },
    ],
    share_target: {
      action: "/write",
      method: "GET",
      enctype: "application/x-www-form-urlencoded",
      params: { title: "title", text: "text", url: "url" },
    },
  };
}
