import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { functionsSchema } from "@vercel/build-utils";
import { Ajv } from "ajv";
import { validate as dockerfileProblems } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract, operations } from "@/lib/contract";
import { appVariables } from "@/lib/settings/app";
import { aboutOf, type Shape } from "@/lib/settings/declare";
import { facilitatorVariables } from "@/lib/settings/facilitator";
import { generalVariables } from "@/lib/settings/general";
import { proverVariables } from "@/lib/settings/prover";
import { checkSettings, effectiveSettings, FILE_SUFFIX } from "@/lib/settings/read";
import { proverApi } from "@/prover/http/routes";
import { rootPackage } from "../dist/size";
import { ROOT } from "../stack/settings";
import { manifestProblems } from "./kubernetes-schema";
import {
  compose,
  deployFile,
  imageVariables,
  manifests,
  type Program,
  services,
  stages,
  started,
  units,
} from "./manifests";

/** Variables of Node, which every program may have. */
const FOREIGN = ["NODE_ENV", "HOME"];

const general = (program: Program): Shape =>
  Object.fromEntries(
    Object.entries(generalVariables).filter(([, variable]) =>
      (aboutOf(variable).by ?? "app, prover, facilitator").split(", ").includes(program),
    ),
  );
const shapes: Readonly<Record<Program, Shape>> = {
  app: { ...general("app"), ...appVariables },
  prover: { ...general("prover"), ...proverVariables },
  facilitator: { ...general("facilitator"), ...facilitatorVariables },
};

/** Returns what is wrong with a variable for all of these programs; undefined if one of them reads it so. */
function variableProblem(programs: readonly Program[], name: string, value: string): string | undefined {
  if (FOREIGN.includes(name)) return undefined;
  const problems = programs.map((program) => {
    const shape = shapes[program];
    const secret = name.endsWith(FILE_SUFFIX) ? shape[name.slice(0, -FILE_SUFFIX.length)] : undefined;
    if (secret && aboutOf(secret).secret)
      return path.isAbsolute(value.replace("%d", "/")) ? undefined : "no path";
    const variable = shape[name];
    if (!variable) return `is no variable of ${program}`;
    // Placeholders, and values that come from a Secret.
    if (value === "" || value.startsWith("REPLACE: ")) return undefined;
    return checkSettings({ [name]: variable }, { [name]: value }).problems[0];
  });
  return problems.includes(undefined) ? undefined : problems[0];
}

describe("the variables that deploy/ sets", () => {
  it("are read by the program that they are set for, and well-formed", () => {
    expect(started.length).toBeGreaterThan(14);
    const wrong = started.flatMap(({ where, programs, variables }) =>
      Object.entries(variables).flatMap(([name, value]) => {
        const problem = variableProblem(programs, name, value);
        return problem ? [`${where}: ${name} ${problem}`] : [];
      }),
    );
    expect(wrong).toEqual([]);
    const ofImages = (["app", "prover"] as const).flatMap((image) =>
      Object.entries(imageVariables(image)).flatMap(([name, value]) => {
        // The prover's image is the facilitator's, too.
        const programs: readonly Program[] = image === "app" ? ["app"] : ["prover", "facilitator"];
        const problem = variableProblem(programs, name, value);
        return problem ? [`${image}: ${name} ${problem}`] : [];
      }),
    );
    expect(ofImages).toEqual([]);
  });

  it.each([
    [
      "app",
      ["PARLEY_DEPLOYMENT", "DATABASE_URL", "CACHE_URL", "STORAGE_URL", "SESSION_SECRET", "USER_ID_SECRET"],
    ],
    ["prover", ["PARLEY_DEPLOYMENT", "PROVER_DATABASE_URL", "PROVER_SECRET", "PROVER_SETTLEMENT_KEY"]],
    ["facilitator", ["PARLEY_DEPLOYMENT", "FACILITATOR_KEY"]],
  ])("are all that two processes of the %s need in production", (program, needed) => {
    const own = started.filter(({ programs, isMigration }) => !isMigration && programs.join() === program);
    expect(own.length).toBeGreaterThan(2);
    for (const { where, variables } of own) {
      const set = Object.keys(variables).map((name) => name.replace(/_FILE$/, ""));
      expect(set, where).toEqual(expect.arrayContaining(["PARLEY_MODE", ...needed]));
      expect(variables.PARLEY_MODE, where).toBe("production");
    }
  });

  it("count one proxy in front of app and prover", () => {
    for (const { where, programs, isMigration, variables } of started) {
      if (isMigration || programs.join() === "facilitator") continue;
      expect(variables.TRUST_PROXY ?? variables.PROVER_TRUSTED_PROXIES, where).toBe("1");
    }
  });
});

describe("addresses", () => {
  const { PORT, PROVER_PORT, FACILITATOR_PORT } = effectiveSettings(
    {
      ...generalVariables,
      PROVER_PORT: proverVariables.PROVER_PORT,
      FACILITATOR_PORT: facilitatorVariables.FACILITATOR_PORT,
    },
    {},
  );
  const ofProver = proverApi(["oidc_domain_attestation"]).routes.map(({ path: route }): string => route);
  const ofFacilitator = readFileSync(path.join(ROOT, "prover", "facilitator", "app.ts"), "utf8");
  const known: readonly string[] = [
    `:${PORT}${contract.service.health.path}`,
    ...ofProver.map((route) => `:${PROVER_PORT}${route}`),
    ...[...ofFacilitator.matchAll(/app\.get\("([^"]+)"/g)].map(([, route]) => `:${FACILITATOR_PORT}${route}`),
  ];

  it("of health checks in images and compose.yaml are those of the programs", () => {
    const set = { ...imageVariables("app"), ...imageVariables("prover") };
    const dockerfile = deployFile("Dockerfile").replaceAll(
      /' \+ process\.env\.(\w+) \+ '/g,
      (_, name: string) => set[name] ?? name,
    );
    const used = [dockerfile, JSON.stringify(services)].flatMap((text) =>
      [...text.matchAll(/fetch\('http:\/\/127\.0\.0\.1(:\d+\/[^']*)'\)/g)].map(([, address = ""]) => address),
    );
    expect(new Set(used).size).toBe(3);
    expect(used.filter((address) => !known.includes(address))).toEqual([]);
  });

  it("of Kubernetes' probes are those of the programs: a restart mends what liveness checks", () => {
    const probe = z.looseObject({ httpGet: z.object({ path: z.string(), port: z.literal("http") }) });
    const probes = z.looseObject({
      livenessProbe: probe,
      readinessProbe: probe,
      startupProbe: probe.optional(),
    });
    const ports: Readonly<Record<string, number>> = {
      app: PORT,
      prover: PROVER_PORT,
      facilitator: FACILITATOR_PORT,
    };
    const deployments = manifests.filter(({ manifest }) => manifest.kind === "Deployment");
    expect(deployments).toHaveLength(3);
    for (const { manifest } of deployments) {
      const { name } = manifest.metadata;
      const [container] = manifest.spec?.template?.spec.containers ?? [];
      expect(container?.ports[0]).toEqual({ name: "http", containerPort: ports[name] });
      const { livenessProbe, readinessProbe, startupProbe } = probes.parse(container);
      for (const used of [livenessProbe, startupProbe ?? livenessProbe])
        expect(known).toContain(`:${ports[name]}${used.httpGet.path}`);
      const ready = name === "app" ? contract.service.ready.path : livenessProbe.httpGet.path;
      expect(readinessProbe.httpGet.path).toBe(ready);
    }
  });

  it("of the proxies' upstreams are those of the programs, and bodies fit", () => {
    const { caddy } = services;
    expect(caddy?.environment).toMatchObject({
      APP_UPSTREAMS: `app-1:${PORT} app-2:${PORT}`,
      PROVER_UPSTREAMS: `prover-1:${PROVER_PORT} prover-2:${PROVER_PORT}`,
      FACILITATOR_UPSTREAM: `facilitator:${FACILITATOR_PORT}`,
    });
    expect(deployFile("Caddyfile")).toContain(`health_uri ${contract.service.ready.path}\n`);
    expect(deployFile("nginx.conf")).toContain(`server 127.0.0.1:${PORT} `);
    expect(deployFile("nginx.conf")).toContain(`server 127.0.0.1:${PROVER_PORT} `);
    const largest = Math.max(...operations.map(({ maxBytes = 0 }) => maxBytes));
    const limits = [
      /max_size (\d+)MB/.exec(deployFile("Caddyfile")),
      /client_max_body_size (\d+)m/.exec(deployFile("nginx.conf")),
      /proxy-body-size: (\d+)m/.exec(deployFile("kubernetes/ingress.yaml")),
    ];
    for (const limit of limits) expect(Number(limit?.[1]) * 1_000_000).toBeGreaterThan(largest);
  });
});

describe("images", () => {
  it("come from a well-formed Dockerfile", () => {
    expect(dockerfileProblems(deployFile("Dockerfile"))).toEqual([]);
  });

  it.each(["app", "prover"])("of the %s run as a number that is not root, and end by SIGTERM", (name) => {
    const stage = stages.get(name);
    expect(stage?.from).toBe("program");
    expect(stages.get("program")?.instructions).toEqual(
      expect.arrayContaining(["USER 10001:10001", "STOPSIGNAL SIGTERM"]),
    );
    // Both in the form without a shell, which would swallow the signal.
    const forms = stage?.instructions.filter((line) => /^(ENTRYPOINT|CMD) /.test(line));
    expect(forms?.map((line) => z.array(z.string()).parse(JSON.parse(line.replace(/^\w+ /, ""))))).toEqual([
      [...(name === "prover" ? ["prlimit", "--core=0"] : []), "node", "index.js"],
      ["serve"],
    ]);
    const user = z.looseObject({ runAsUser: z.literal(10001), runAsNonRoot: z.literal(true) });
    const pods = manifests.filter(({ manifest }) => manifest.spec?.template);
    for (const { manifest } of pods) user.parse(manifest.spec?.template?.spec.securityContext);
  });

  it("are made of the folders that the builds write, without this machine's state", () => {
    const text = deployFile("Dockerfile");
    expect([...text.matchAll(/--from=\S+ \/src\/(\S+)/g)].map(([, folder]) => folder)).toEqual([
      "dist/app",
      "dist/prover",
    ]);
    const ignored = deployFile("Dockerfile.dockerignore").split("\n");
    expect(ignored).toEqual(
      expect.arrayContaining([".parley", ".env", ".env.*", "deploy/secrets", "node_modules"]),
    );
  });
});

describe("compose.yaml", () => {
  it("is valid by the Compose Specification", () => {
    // Apache-2.0, from compose-spec/compose-spec as dclint 3.1.0 has it; the file must stay as published.
    const text = readFileSync(path.join(import.meta.dirname, "compose-spec.schema.json"));
    expect(createHash("sha256").update(text).digest("hex")).toBe(
      "46b7d35f19dd93a05f8fea530291bf84d881c1791ec167ecf0e6fb94e639d496",
    );
    const schema = z.looseObject({}).parse(JSON.parse(text.toString()));
    // Its draft is named by an address that ajv does not know, with https.
    const ajv = new Ajv({ strict: false, allErrors: true, formats: { duration: /^(\d+(us|ms|s|m|h))+$/ } });
    const valid = ajv.compile({ ...schema, $schema: "http://json-schema.org/draft-07/schema#" });
    valid(compose);
    expect(valid.errors ?? []).toEqual([]);
    expect(valid({ services: { app: { imagee: "x" } } })).toBe(false);
  });

  it("publishes Caddy only, and migrates before anything starts", () => {
    expect(Object.keys(services).filter((name) => services[name]?.ports.length)).toEqual(["caddy"]);
    for (const program of ["app", "prover"]) {
      for (const name of [`${program}-1`, `${program}-2`]) {
        expect(services[name]?.depends_on).toMatchObject({
          [`migrate-${program}`]: { condition: "service_completed_successfully" },
        });
        expect(services[name]?.ulimits?.core).toBe(0);
      }
    }
    // Databases and cache are in networks without a way out.
    const { networks } = z
      .object({ networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) })) })
      .parse(compose);
    for (const name of ["postgres", "redis", "store"]) {
      expect(services[name]?.networks.map((network) => networks[network]?.internal)).toEqual([true]);
    }
  });

  it("gives each process its own secrets only, and prepare.sh writes those that are random", () => {
    const { secrets } = z
      .object({ secrets: z.record(z.string(), z.object({ file: z.string() })) })
      .parse(compose);
    const prepared = deployFile("compose/prepare.sh");
    const own = ["deployment", "prover-settlement-key", "facilitator-key"];
    for (const [name, { file }] of Object.entries(secrets)) {
      expect(file).toMatch(new RegExp(`^\\./secrets/${name}(\\.json)?$`));
      const word = name.replace(/^(app|prover)-database-url$/, "$name-database-url");
      if (!own.includes(name)) expect(prepared, name).toContain(word);
    }
    for (const { where, variables } of started.filter((each) => each.where.startsWith("compose.yaml"))) {
      const read = Object.values(variables).flatMap(
        (value) => /^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? [],
      );
      const given = services[where.split(" ")[1] ?? ""]?.secrets ?? [];
      expect(given.toSorted(), where).toEqual(read.toSorted());
    }
  });

  it("waits longer for a process to end than it takes", () => {
    const seconds = (name: string) => Number(/^(\d+)s$/.exec(services[name]?.stop_grace_period ?? "")?.[1]);
    const { PROVER_STOP_GRACE_MS } = effectiveSettings(proverVariables, {});
    expect(seconds("app-1")).toBeGreaterThan(8);
    expect(seconds("prover-1") * 1000).toBeGreaterThan(PROVER_STOP_GRACE_MS);
  });
});

describe("Kubernetes manifests", () => {
  it.each(
    manifests.map(
      ({ file, source, manifest }) =>
        [`${file}: ${manifest.kind} ${manifest.metadata.name}`, source] as const,
    ),
  )("%s is valid by the published schema, without unknown fields", (_, source) => {
    expect(manifestProblems(source)).toEqual([]);
  });

  it("are of the current version, and scale by metrics that exist", async () => {
    const { version } = await rootPackage();
    const images = manifests.flatMap(({ manifest }) =>
      (manifest.spec?.template?.spec.containers ?? []).map(({ image }) => image),
    );
    expect(images.length).toBe(5);
    expect(images.filter((image) => !image.endsWith(`:${version}`))).toEqual([]);
    const scaled = manifests.filter(({ manifest }) => manifest.kind === "HorizontalPodAutoscaler");
    const metric = z.looseObject({ pods: z.looseObject({ metric: z.object({ name: z.string() }) }) });
    const names = scaled.flatMap(({ manifest }) =>
      z
        .array(metric)
        .parse(manifest.spec?.metrics)
        .map(({ pods }) => pods.metric.name),
    );
    expect(names).toEqual(["nodejs_eventloop_lag_p99_seconds", "prover_queue_jobs"]);
    const sources = ["node_modules/prom-client/lib/metrics/eventLoopLag.js", "prover/metrics.ts"];
    for (const [index, file] of sources.entries())
      expect(readFileSync(path.join(ROOT, file), "utf8")).toContain(`${names[index]}`.replace("nodejs_", ""));
  });
});

describe("systemd units", () => {
  it.each(units.map(({ file, settings }) => [file, settings] as const))(
    "%s is confined, and dumps nothing",
    (_, settings) => {
      const hardened = ["NoNewPrivileges", "PrivateTmp", "ProtectHome", "RestrictNamespaces"];
      for (const key of hardened) expect(settings.get(key), key).toEqual(["true"]);
      expect(settings.get("ProtectSystem")).toEqual(["strict"]);
      expect(settings.get("LimitCORE")).toEqual(["0"]);
      expect(settings.get("UMask")).toEqual(["0077"]);
      // A program may have to wait for its database for longer than systemd has patience.
      if (settings.get("Restart")) expect(settings.get("StartLimitIntervalSec")).toEqual(["0"]);
      const [user] = settings.get("User") ?? [];
      expect(deployFile("systemd/sysusers.conf")).toContain(`u ${user?.replace("%i", "app")} `);
      // Each file in the credentials' folder is loaded.
      const loaded = (settings.get("LoadCredential") ?? []).map((line) => line.split(":")[0]);
      const read = [...settings.values()].flatMap((lines) =>
        [...lines.join(" ").matchAll(/%d\/(\S+)/g)].map(([, name]) => name),
      );
      expect([...new Set(read)].toSorted()).toEqual(loaded.toSorted());
    },
  );
});

describe("vercel.json", () => {
  const schema = z.strictObject({
    $schema: z.literal("https://openapi.vercel.sh/vercel.json"),
    framework: z.literal("nextjs"),
    regions: z.array(z.string().regex(/^[a-z]{3}1$/)).length(1),
    functions: z.record(z.string(), z.object({ maxDuration: z.int() })),
    crons: z.array(z.object({ path: z.string(), schedule: z.string().regex(/^([\d*/,-]+ ){4}[\d*/,-]+$/) })),
  });
  const read = () => schema.parse(JSON.parse(readFileSync(path.join(ROOT, "vercel.json"), "utf8")));

  it("has functions as Vercel's own schema wants them", () => {
    const valid = new Ajv({ strict: false }).compile(functionsSchema);
    valid(read().functions);
    expect(valid.errors ?? []).toEqual([]);
    expect(valid({ "app/x.ts": { maxDurations: 1 } })).toBe(false);
  });

  it("asks for housekeeping every minute, and gives it the time that it takes", () => {
    expect(read().crons).toEqual([{ path: "/cron/housekeeping", schedule: "* * * * *" }]);
    const route = "app/cron/housekeeping/route.ts";
    expect(existsSync(path.join(ROOT, route))).toBe(true);
    const own = /maxDuration = (\d+)/.exec(readFileSync(path.join(ROOT, route), "utf8"))?.[1];
    expect(read().functions[route]).toEqual({ maxDuration: Number(own) });
  });

  it("gives streams longer than docs/deploy.md tells operators to set STREAM_SECONDS", () => {
    const told = Number(
      /STREAM_SECONDS=(\d+)/.exec(readFileSync(path.join(ROOT, "docs/deploy.md"), "utf8"))?.[1],
    );
    expect(told).toBeGreaterThanOrEqual(60);
    expect(read().functions["app/api/**/route.ts"]?.maxDuration).toBeGreaterThan(told);
  });
});
