import { describe, expect, it } from "vitest";
import { begun, gone, laidOver, type Overlay, rebased, refused, taken } from "./overlay";

interface Row {
  readonly id: string;
  readonly role: string;
}

const rows: readonly Row[] = [
  { id: "a", role: "admin" },
  { id: "b", role: "member" },
];
const none: Overlay<Row> = new Map();
const shown = (overlay: Overlay<Row>, of = rows) => laidOver(of, overlay, ({ id }) => id);

describe("rows with changes laid over them", () => {
  it("show a change before the server has answered, and without it again when it refuses", () => {
    const promoted = begun(none, "b", { id: "b", role: "admin" });
    expect(shown(promoted).map(({ role }) => role)).toEqual(["admin", "admin"]);
    const gone = begun(promoted, "a", null);
    expect(shown(gone)).toEqual([{ id: "b", role: "admin" }]);
    expect(shown(refused(gone, "a"))).toEqual(shown(promoted));
    expect(shown(refused(promoted, "b"))).toEqual(rows);
  });

  it("keep a change that was taken until newer rows come, and one that waits beyond", () => {
    const both = taken(begun(begun(none, "a", null), "b", { id: "b", role: "admin" }), "a");
    expect(shown(both)).toEqual([{ id: "b", role: "admin" }]);
    const newer = [{ id: "a", role: "owner" }, ...rows.slice(1)];
    expect(shown(rebased(both), newer)).toEqual([
      { id: "a", role: "owner" },
      { id: "b", role: "admin" },
    ]);
  });

  it("take a row away that is out of date, until newer rows say how it is", () => {
    const stale = gone(begun(none, "b", { id: "b", role: "admin" }), "b");
    expect(shown(stale)).toEqual([{ id: "a", role: "admin" }]);
    expect(shown(rebased(stale))).toEqual(rows);
  });

  it("know nothing of rows that nobody changed", () => {
    expect(taken(none, "a")).toBe(none);
    expect(shown(begun(none, "elsewhere", null))).toEqual(rows);
  });
});
