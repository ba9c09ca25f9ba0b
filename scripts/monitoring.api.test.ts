import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { AppMetrics } from "@/lib/runtime/metrics";
import { emptyTemplate } from "@/lib/testing/empty";
import { createHarness } from "@/lib/testing/harness";
import { Slots } from "@/prover/jobs/slots";
import { Metrics } from "@/prover/metrics";
import { openStore } from "@/prover/store/index";
import { ROOT } from "./stack/settings";

const folder = path.join(ROOT, "deploy", "monitoring");
const alertsFile = path.join(folder, "alerts.yaml");

const rulesSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^[A-Z]\w+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smhd]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(["page", "ticket"]) }),
          annotations: z.strictObject({ summary: z.string() }),
        }),
      ),
    }),
  ),
});
const { groups } = rulesSchema.parse(parse(readFileSync(alertsFile, "utf8")));
const rules = groups.flatMap((group) => group.rules);

const dashboardSchema = z.looseObject({
  panels: z.array(
    z.looseObject({ id: z.number(), targets: z.array(z.looseObject({ expr: z.string() })).default([]) }),
  ),
});
const { panels } = dashboardSchema.parse(
  JSON.parse(readFileSync(path.join(folder, "dashboard.json"), "utf8")),
);
const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** Returns the metrics that an expression names: what no operator, function, label or text is. */
function metricsOf(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/g, "")
    .replaceAll(/\{[^}]*\}/g, "")
    .replaceAll(/\b(by|on|without) \([^)]*\)/g, "")
    .replaceAll(/\[[^\]]*\]|offset \w+/g, "");
  const words = bare.match(/[a-z][a-z0-9_]*/g) ?? [];
  return words.filter((word) => word.includes("_") && word !== "histogram_quantile");
}

/** Every name in an exposition of both programs; a histogram's have suffixes. */
async function knownNames(): Promise<Set<string>> {
  const h = await createHarness();
  const app = new AppMetrics(h.services);
  const prover = new Metrics();
  const store = await openStore({ url: "pglite:memory", template: await emptyTemplate() });
  const backend = { parallel: 1, running: () => 0, restarts: () => 0 };
  prover.watch({ store, backend, proving: new Slots(1), settling: new Slots(1), settlers: {} });
  const names = [...app.meters.names(), ...prover.meters.names()];
  await Promise.all([h.close(), store.close()]);
  return new Set(names.flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]));
}

describe("operations: alerts and dashboard", () => {
  it("name only metrics that the programs serve", async () => {
    const known = await knownNames();
    const named = [...rules.map(({ expr }) => expr), ...shown].flatMap(metricsOf);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it("cover every metric that the operator's page says to watch", () => {
    const page = readFileSync(path.join(ROOT, "docs", "monitoring.md"), "utf8");
    const watched = new Set(rules.flatMap(({ expr }) => metricsOf(expr)));
    const listed = [...page.matchAll(/^\| `([A-Z]\w+)` \|/gm)].map(([, alert = ""]) => alert);
    expect(listed.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
    expect(watched.size).toBeGreaterThan(20);
  });

  const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
  it.skipIf(!hasPromtool)(`pass promtool${hasPromtool ? "" : " (not installed here)"}`, () => {
    expect(execFileSync("promtool", ["check", "rules", alertsFile], { encoding: "utf8" })).toContain(
      "SUCCESS",
    );
  });

  it("have panels with ids of their own", () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});
