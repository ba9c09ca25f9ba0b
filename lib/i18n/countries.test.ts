import { describe, expect, it } from "vitest";
import { codesOr, countriesOr, countryCodes, countryName, findCountries } from "./countries";
import { words } from "./english";

describe("countries", () => {
  it("are the 249 of ISO 3166-1, each with a name", () => {
    expect(countryCodes).toHaveLength(249);
    expect(new Set(countryCodes).size).toBe(249);
    for (const code of countryCodes) expect(countryName(words, code)).not.toBe(code);
  });

  it("are listed as people say it", () => {
    expect(codesOr(words, ["FR", "DE", "NL"])).toBe("FR, DE or NL");
    expect(codesOr(words, ["KR"])).toBe("KR");
    expect(countriesOr(words, ["FR", "DE"])).toBe("France or Germany");
  });

  it("are found by name, code, without accents, and in the reader's language", () => {
    expect(findCountries(words, "", "en")).toHaveLength(249);
    expect(findCountries(words, "de", "en")[0]).toBe("DE");
    expect(findCountries(words, "turk", "en")).toContain("TR");
    expect(findCountries(words, "österreich", "de")).toEqual(["AT"]);
    expect(findCountries(words, "대한민국", "ko")).toContain("KR");
    expect(findCountries(words, "  france ", "not a language")[0]).toBe("FR");
    expect(findCountries(words, "nowhere at all", "en")).toEqual([]);
  });
});
