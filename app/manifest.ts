import type { MetadataRoute } from "next";
import * as en from "@/lib/i18n/en";

/** How the site presents itself when installed. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    name: en.common.name,
    short_name: en.common.name,
    description: en.common.tagline,
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
