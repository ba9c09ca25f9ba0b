import { describe, expect, it } from "vitest";
import { reportedKinds, reportReasons } from "@/lib/contract/moderation";
import { reportReaders } from "./report";

const staff = { staff: true, operators: false };
const operators = { staff: false, operators: true };
const both = { staff: true, operators: true };

describe("reportReaders", () => {
  it.each(["post", "comment", "message"] as const)(
    "a %s: the staff, for two reasons operators too",
    (kind) => {
      for (const reason of reportReasons) {
        const isGrave = reason === "illegal" || reason === "owner";
        expect(reportReaders({ kind, reason, byOwner: false }), reason).toEqual(isGrave ? both : staff);
      }
    },
  );

  it.each(["post", "comment", "message"] as const)(
    "a %s of the owner: an accusation of them passes them by",
    (kind) => {
      expect(reportReaders({ kind, reason: "owner", byOwner: true })).toEqual(operators);
      expect(reportReaders({ kind, reason: "illegal", byOwner: true })).toEqual(both);
      expect(reportReaders({ kind, reason: "spam", byOwner: true })).toEqual(staff);
    },
  );

  it.each(reportedKinds.slice(3))("a %s: operators only, whatever the reason", (kind) => {
    for (const reason of reportReasons) {
      for (const byOwner of [true, false])
        expect(reportReaders({ kind, reason, byOwner })).toEqual(operators);
    }
  });
});
