import type { Locale, Words } from "./words";

/**
 * What the seeded categories are called in languages other than English, by slug. In English the name in the database
 * counts, which an operator may have changed.
 */
const names: Readonly<Partial<Record<Locale, Readonly<Partial<Record<string, string>>>>>> = {
  ko: {
    general: "일반",
    blockchain: "블록체인",
    ethereum: "이더리움",
    "ai-ml": "AI와 머신러닝",
    privacy: "프라이버시",
    defi: "디파이",
    governance: "거버넌스",
    technology: "기술",
    sports: "스포츠",
    science: "과학",
    "music-art": "음악과 예술",
    gaming: "게임",
  },
};

/** A category's name in the reader's language; of one we do not know, the name it has. */
export function categoryName(
  { locale }: Pick<Words, "locale">,
  { slug, name }: { readonly slug: string; readonly name: string },
): string {
  return names[locale]?.[slug] ?? name;
}
