import type { MetadataRoute } from "next";
import { getWords } from "@/lib/i18n/server";

const PAPER = "#fbfaf7";

/** The web app manifest. It has one theme color; each page sets both (app/layout.tsx). */
export default async function manifest(): Promise<MetadataRoute.Manifest> {
  const { t, locale } = await getWords();
  const icons = [{ src: "/icons/seal-192.png", sizes: "192x192", type: "image/png" }];
  return {
    // A stable id, so that a later start_url does not make it another app.
    id: "/",
    name: t("common.name"),
    short_name: t("common.name"),
    description: t("common.tagline"),
    lang: locale,
    dir: "ltr",
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: PAPER,
    theme_color: PAPER,
    categories: ["social"],
    icons: [
      ...icons,
      { src: "/icons/seal-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icons/seal-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
    shortcuts: [
      { name: t("topic.write"), short_name: t("nav.write"), url: "/write", icons },
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
