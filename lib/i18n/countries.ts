/** Countries by their ISO 3166-1 alpha-2 codes, with names from the runtime's own data. */

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

const names = new Intl.DisplayNames(["en"], { type: "region" });
// Without the comma before the last that American English has.
const either = new Intl.ListFormat("en-GB", { type: "disjunction" });
const all = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** "France" for FR; the code itself where the runtime knows no name. */
export function countryName(code: string): string {
  return names.of(code) ?? code;
}

/** "France, Germany or Netherlands". */
export function countriesOr(codes: readonly string[]): string {
  return either.format(codes.map(countryName));
}

/** "FR, DE or NL": the codes, for places with little room. */
export function codesOr(codes: readonly string[]): string {
  return either.format(codes);
}

/** "RU, BY and KP". */
export function codesAnd(codes: readonly string[]): string {
  return all.format(codes);
}

/**
 * Countries whose name or code has the words of a search in it, by name.
 * @param language a BCP 47 tag whose names count too, so that "Deutschland" finds Germany where German is read.
 */
export function findCountries(search: string, language: string): readonly string[] {
  const wanted = plain(search.trim());
  const local = displayNames(language);
  return countryCodes
    .filter((code) => {
      if (wanted === "") return true;
      if (code.toLowerCase() === wanted) return true;
      return plain(countryName(code)).includes(wanted) || plain(local.of(code) ?? "").includes(wanted);
    })
    .toSorted(
      (a, b) => rank(a, wanted) - rank(b, wanted) || countryName(a).localeCompare(countryName(b), "en"),
    );
}

/** The code itself first, then names that begin with what was typed. */
function rank(code: string, wanted: string): number {
  if (code.toLowerCase() === wanted) return 0;
  return plain(countryName(code)).startsWith(wanted) ? 1 : 2;
}

function displayNames(language: string): Intl.DisplayNames {
  try {
    return new Intl.DisplayNames([language], { type: "region" });
  } catch {
    // A tag the runtime cannot read is no reason to have no list.
    return names;
  }
}

/** Without case and accents: "Türkiye" is found by "turk". */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
