import { t } from "@/lib/i18n/english";
import type { SiteWords } from "./feeds";

/** How the community presents itself to machines, whose language nobody knows. */
export const siteWords: SiteWords = { name: t("common.name"), tagline: t("common.tagline") };
