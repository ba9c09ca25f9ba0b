import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { circuitNames } from "@/lib/proofs/deployment";
import { assertionsOf } from "../assertions";
import { redundant } from "../redundant";
import { REPORT_FILE, report } from "../report";
import { suiteOf } from "../suites";
import { trials } from "../trials";
import { faultReport, faultReportFile } from "./report";
import { mutantsOf, problemOf, triedOf, works } from "./store";

// What took hours to try is kept with the digest of the sources it was tried on. Nothing is compiled here.
describe.each(works)("circuits F1 and F2: the evidence of %s", (work) => {
  it.each(circuitNames)(
    "%s: every one was tried on the present sources, and whatever survived is explained",
    (circuit) => {
      const tried = triedOf(circuit, work);
      expect(tried.length).toBeGreaterThan(circuit === "anonymous_membership" ? 8 : 30);
      expect(tried.flatMap((one) => problemOf(one) ?? [])).toEqual([]);
    },
  );

  it("is what the report says", () => {
    expect(fs.readFileSync(faultReportFile(work), "utf8")).toBe(faultReport(work));
  });
});

it("circuits F1: the report of what was tried is what is kept of the runs that ended", () => {
  expect(fs.readFileSync(REPORT_FILE, "utf8")).toBe(report());
  expect(new Set(trials().map(({ circuit }) => circuit))).toEqual(new Set([...circuitNames, "probes"]));
});

describe("circuits F1: the evidence of assertions", () => {
  it.each(circuitNames)("%s: takes out exactly the assertions of the sources", (circuit) => {
    const place = ({ file, text }: { file: string; text: string }) => `${file} ${text}`;
    expect(mutantsOf(circuit, "removal").map(place)).toEqual(assertionsOf(circuit).map(place));
  });

  it.each(circuitNames)(
    "%s: names cases that there are",
    async (circuit) => {
      const { cases, encodings } = await suiteOf(circuit);
      const { refused, hints, aliases, families, honest } = cases;
      const names = new Set(
        [
          ...refused,
          ...hints,
          ...aliases,
          ...families.flatMap((family) => family.cases),
          ...encodings,
          ...honest,
        ].map(({ name }) => name),
      );
      const named = works
        .flatMap((work) => triedOf(circuit, work))
        .flatMap(({ found }) => /^(?:accepted|honest): (.*)$/.exec(found?.by ?? "")?.[1] ?? []);
      expect(named.filter((name) => name !== "the first" && !names.has(name))).toEqual([]);
    },
    60_000,
  );

  it("explains nothing that did not survive", () => {
    const survivors = circuitNames.flatMap((circuit) =>
      works.flatMap((work) =>
        triedOf(circuit, work)
          .filter(({ found }) => found?.outcome === "survived")
          .map(({ mutant }) => mutant),
      ),
    );
    const idle = redundant.filter(
      ({ circuits, file, text, changes = ["taken out"] }) =>
        !survivors.some(
          (one) =>
            one.file === file &&
            one.text === text &&
            changes.includes(one.change) &&
            (circuits?.includes(one.circuit) ?? true),
        ),
    );
    expect(idle).toEqual([]);
  });
});
