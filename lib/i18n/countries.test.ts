import { describe, expect, it } from "vitest";
import { codesAnd, codesOr, countriesOr, countryCodes, countryName, findCountries } from "./countries";

describe("countries", () => {
  it("are the 249 of ISO 3166-1, each with a name", () => {
    expect(countryCodes).toHaveLength(249);
    expect(new Set(countryCodes).size).toBe(249);
    for (const code of countryCodes) expect(countryName(code)).not.toBe(code);
  });

  it("are listed as people say it", () => {
    expect(codesOr(["FR", "DE", "NL"])).toBe("FR, DE or NL");
    expect(codesAnd(["RU", "BY"])).toBe("RU and BY");
    expect(codesOr(["KR"])).toBe("KR");
    expect(countriesOr(["FR", "DE"])).toBe("France or Germany");
  });

  it("are found by name, code, without accents, and in the reader's language", () => {
    expect(findCountries("", "en")).toHaveLength(249);
    expect(findCountries("de", "en")[0]).toBe("DE");
    expect(findCountries("turk", "en")).toContain("TR");
    expect(findCountries("österreich", "de")).toEqual(["AT"]);
    expect(findCountries("대한민국", "ko")).toContain("KR");
    expect(findCountries("  france ", "not a language")[0]).toBe("FR");
    expect(findCountries("nowhere at all", "en")).toEqual([]);
  });
});
