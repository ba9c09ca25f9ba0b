import type { PlainName } from "@/lib/i18n/words";

/** Links of the footer, in order. */
export const footerLinks = [
  { href: "/about", name: "footer.about" },
  { href: "/how-it-works", name: "footer.howItWorks" },
  { href: "/privacy", name: "footer.privacy" },
  { href: "/terms", name: "footer.terms" },
  { href: "/log", name: "footer.log" },
  { href: "/docs", name: "footer.docs" },
] as const satisfies readonly { readonly href: string; readonly name: PlainName }[];
