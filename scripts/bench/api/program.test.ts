import { expect, it } from "vitest";
import { programOf, programSchema, type RecordedRequest, type RecordedStep, Run } from "./program";

const [topicA, topicB] = ["0b9f6b8e-6a6f-4d0b-9d55-0c2b9d3b8a01", "1b9f6b8e-6a6f-4d0b-9d55-0c2b9d3b8a01"];
const [newA, newB] = ["2b9f6b8e-6a6f-4d0b-9d55-0c2b9d3b8a01", "3b9f6b8e-6a6f-4d0b-9d55-0c2b9d3b8a01"];
const [at, later] = [new Date("2026-01-01T00:00:00Z"), new Date("2026-01-01T00:01:00Z")];

const step = (text: string, values: readonly unknown[], rows: RecordedStep["rows"] = []) => ({
  text,
  values,
  rows,
});
const request = (
  inputs: Record<string, string>,
  time: Date,
  steps: readonly RecordedStep[],
): RecordedRequest => ({
  inputs,
  at: time,
  groups: [{ after: false, steps }],
});

/** The bindings of the only value of a last statement. */
function bound(one: unknown, other: unknown, rows: [RecordedStep["rows"], RecordedStep["rows"]] = [[], []]) {
  const program = programOf(
    request({ topicId: topicA, word: "rare12" }, at, [step("first", [], rows[0]), step("last", [one])]),
    request({ topicId: topicB, word: "rare13" }, later, [step("first", [], rows[1]), step("last", [other])]),
  );
  // As another process gets it.
  const [group] = programSchema.parse(JSON.parse(JSON.stringify(program)));
  return group?.steps[1]?.values[0];
}

it("a value that is the same in both is part of the statement", () => {
  expect(bound(20, 20)).toEqual({ constant: 20 });
  expect(bound(null, null)).toEqual({ constant: null });
});

it("a value of the request comes from the request, also within a text", () => {
  expect(bound(topicA, topicB)).toEqual({ input: "topicId" });
  expect(bound("%rare12%", "%rare13%")).toEqual({
    parts: [{ constant: "%" }, { input: "word" }, { constant: "%" }],
  });
});

it("a value of an earlier answer comes from that answer", () => {
  const rows: [RecordedStep["rows"], RecordedStep["rows"]] = [
    [
      { id: newA, n: 1 },
      { id: topicA, n: 2 },
    ],
    [
      { id: newB, n: 5 },
      { id: topicB, n: 6 },
    ],
  ];
  expect(bound(2, 6, rows)).toEqual({ cell: { step: 0, row: 1, column: "n" } });
  expect(bound([newA], [newB], rows)).toEqual({ list: { step: 0, column: "id", take: 1 } });
  expect(bound([topicA, newA], [topicB, newB], rows)).toEqual({
    list: { step: 0, column: "id", take: null },
  });
});

it("an id that nothing says is new, a time is relative to the request", () => {
  expect(bound(newA, newB)).toEqual({ fresh: 0 });
  expect(bound(new Date(at.getTime() - 60_000), new Date(later.getTime() - 60_000))).toEqual({
    now: -60_000,
  });
});

it("lists, objects and JSON are bound by what is in them", () => {
  expect(bound([topicA], [topicB])).toEqual({ items: [{ input: "topicId" }] });
  const rows: [RecordedStep["rows"], RecordedStep["rows"]] = [[{ author: "u1" }], [{ author: "u2" }]];
  const json = (id: string, author: string) => JSON.stringify([{ id, author, kind: "reply" }]);
  expect(bound(json(newA, "u1"), json(newB, "u2"), rows)).toEqual({
    json: {
      items: [
        {
          fields: {
            id: { fresh: 0 },
            author: { cell: { step: 0, row: 0, column: "author" } },
            kind: { constant: "reply" },
          },
        },
      ],
    },
  });
});

it("a list that an earlier answer has comes from there, even if it was the same twice", () => {
  expect(
    bound(
      ["a", "b"],
      ["a", "b"],
      [
        [{ id: "a" }, { id: "b" }],
        [{ id: "a" }, { id: "b" }],
      ],
    ),
  ).toEqual({
    list: { step: 0, column: "id", take: null },
  });
});

it("requests that sent different statements are no program", () => {
  const inputs = { topicId: topicA };
  expect(() => programOf(request(inputs, at, [step("a", [])]), request(inputs, at, [step("b", [])]))).toThrow(
    "different statements",
  );
});

it("a run gives each binding its value", () => {
  const run = new Run({ word: "rare99" });
  run.rows.push([{ id: "a" }, { id: "b" }, { id: "c" }]);
  expect(run.value({ input: "word" })).toBe("rare99");
  expect(run.value({ cell: { step: 0, row: 1, column: "id" } })).toBe("b");
  expect(run.value({ list: { step: 0, column: "id", take: 2 } })).toEqual(["a", "b"]);
  expect(run.value({ parts: [{ constant: "%" }, { input: "word" }] })).toBe("%rare99");
  expect(run.value({ json: { items: [{ fields: { n: { constant: 1 } } }] } })).toBe('[{"n":1}]');
  expect(run.value({ fresh: 1 })).toBe(run.value({ fresh: 1 }));
  expect(run.value({ fresh: 1 })).not.toBe(run.value({ fresh: 2 }));
});
