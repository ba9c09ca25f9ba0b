/** Countries by their ISO 3166-1 alpha-2 codes, with names from the runtime's own data. */

import { intlTags } from "./time";
import type { Locale, Words } from "./words";

/** The 249 codes that ISO 3166-1 assigns. */
export const countryCodes: readonly string[] = (
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY " +
  "BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK " +
  "FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR " +
  "IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK " +
  "ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM " +
  "PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF " +
  "TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
).split(" ");

type Language = Pick<Words, "locale">;

const names = new Map<Locale, Intl.DisplayNames>();

function namesIn(locale: Locale): Intl.DisplayNames {
  const known = names.get(locale) ?? new Intl.DisplayNames([locale], { type: "region" });
  names.set(locale, known);
  return known;
}

/** Returns "France" for FR, or the code if the runtime has no name for it. */
export function countryName({ locale }: Language, code: string): string {
  return namesIn(locale).of(code) ?? code;
}

/** "France, Germany or Netherlands". */
export function countriesOr(words: Language, codes: readonly string[]): string {
  return codesOr(
    words,
    codes.map((code) => countryName(words, code)),
  );
}

/** "FR, DE or NL": the codes, for places with little room. */
export function codesOr({ locale }: Language, codes: readonly string[]): string {
  return new Intl.ListFormat(intlTags[locale], { type: "disjunction" }).format(codes);
}

/**
 * Returns the countries whose name or code contains the search text, sorted by name.
 * @param language BCP 47 tag of another language whose names match too, so that "Deutschland" finds Germany
 */
export function findCountries(words: Language, search: string, language: string): readonly string[] {
  const wanted = plain(search.trim());
  const local = displayNames(words, language);
  return countryCodes
    .filter((code) => {
      if (wanted === "") return true;
      if (code.toLowerCase() === wanted) return true;
      return plain(countryName(words, code)).includes(wanted) || plain(local.of(code) ?? "").includes(wanted);
    })
    .toSorted(
      (a, b) =>
        rank(words, a, wanted) - rank(words, b, wanted) ||
        countryName(words, a).localeCompare(countryName(words, b), words.locale),
    );
}

/** Puts an exact code first, then names that start with the search text. */
function rank(words: Language, code: string, wanted: string): number {
  if (code.toLowerCase() === wanted) return 0;
  return plain(countryName(words, code)).startsWith(wanted) ? 1 : 2;
}

function displayNames({ locale }: Language, language: string): Intl.DisplayNames {
  try {
    return new Intl.DisplayNames([language], { type: "region" });
  } catch {
    // The runtime throws for an invalid tag.
    return namesIn(locale);
  }
}

/** Removes case and accents, so that "turk" finds "Türkiye". */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
