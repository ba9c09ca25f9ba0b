import { expect, it } from "vitest";
import { circuitNames } from "@/lib/proofs/deployment";
import { Circuit } from "./circuit";
import { carriesOf, countsOf, shapeProblems } from "./shape";

const login = Circuit.committed("oidc_domain_attestation").program;

it("circuits F2: RSA's carries, as compiled: 34 of each of 17 products, in 126 bits about zero", () => {
  const carries = carriesOf(login);
  expect(carries).toHaveLength(17 * 34);
  expect(new Set(carries.map(({ bits }) => bits))).toEqual(new Set([126]));
  expect(new Set(carries.map(({ offset }) => offset))).toEqual(new Set([1n << 125n]));
  expect(countsOf(login).ranges.get(126)).toBe(17 * 34);
});

it.each(circuitNames)(
  "circuits F2: %s has the range checks, tables and black boxes that are written down",
  (id) => {
    expect(shapeProblems(id, Circuit.committed(id).program)).toEqual([]);
  },
);

it("circuits F2: a wider carry, another table entry and a missing range check are noticed", () => {
  const wider = login.opcodes.map((one) =>
    one.kind === "range" && one.bits === 126 ? { ...one, bits: 253 } : one,
  );
  expect(shapeProblems("oidc_domain_attestation", { ...login, opcodes: wider }).join()).toContain(
    "carries of RSA",
  );
  const init = login.opcodes.findIndex((one) => one.kind === "init" && one.values.length === 256);
  const other = login.opcodes.map((one, i) =>
    i === init && one.kind === "init"
      ? { ...one, values: [...one.values.slice(1), one.values[1] ?? 0] }
      : one,
  );
  expect(shapeProblems("oidc_domain_attestation", { ...login, opcodes: other }).join()).toContain("of table");
  const longer = login.opcodes.map((one, i) =>
    i === init && one.kind === "init" ? { ...one, values: [...one.values, one.values[0] ?? 0] } : one,
  );
  expect(shapeProblems("oidc_domain_attestation", { ...login, opcodes: longer }).join()).toContain(
    "has 1 more",
  );
  const range = login.opcodes.findIndex((one) => one.kind === "range" && one.bits === 29);
  const fewer = login.opcodes.filter((_, i) => i !== range);
  expect(shapeProblems("oidc_domain_attestation", { ...login, opcodes: fewer }).join()).toContain("bits 29");
});
