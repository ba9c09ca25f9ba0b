import type { CaseReason } from "@/lib/contract/queue";

/** Reasons that staff and operators give, by the reason of the report; the first is the default. */
const TEMPLATES = {
  spam: ["spam", "links", "automated", "repeated"],
  abuse: ["abuse", "threats", "hate", "repeated"],
  off_topic: ["off_topic", "repeated"],
  private_data: ["private_data", "private_picture"],
  illegal: ["illegal", "illegal_offer", "copyright", "threats"],
  owner: ["owner", "rules"],
  other: ["rules", "impersonation", "repeated"],
  review_words: ["rules", "abuse", "spam"],
} as const satisfies Record<CaseReason, readonly string[]>;
export type ReasonTemplate = (typeof TEMPLATES)[CaseReason][number];

/** Reasons for leaving everything as it is; the first is the default. */
export const DISMISSALS = ["no_violation", "opinion", "handled"] as const;

const ALL: readonly ReasonTemplate[] = [...new Set(Object.values(TEMPLATES).flat())];

/** Every template, those that fit the reasons first. */
export function templatesFor(reasons: readonly CaseReason[]): readonly ReasonTemplate[] {
  return [...new Set([...reasons.flatMap((reason) => TEMPLATES[reason]), ...ALL])];
}

/** Those that fit the reasons. */
export function fittingTemplates(reasons: readonly CaseReason[]): readonly ReasonTemplate[] {
  return [...new Set(reasons.flatMap((reason) => TEMPLATES[reason]))];
}

/** The template for the first of the reasons. */
export function templateFor([reason = "other"]: readonly CaseReason[]): ReasonTemplate {
  return TEMPLATES[reason][0];
}
