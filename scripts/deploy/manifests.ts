import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { ROOT } from "../stack/settings";

/** The programs of an installation. */
export type Program = "app" | "prover" | "facilitator";

/** One process that a file of deploy/ starts, with the variables it sets. */
interface Started {
  /** File and name, for messages. */
  readonly where: string;
  readonly programs: readonly Program[];
  /** A migration needs its database only. */
  readonly isMigration: boolean;
  readonly variables: Readonly<Record<string, string>>;
}

/** Reads a file below deploy/. */
export function deployFile(name: string): string {
  return readFileSync(path.join(ROOT, "deploy", name), "utf8");
}

const texts = z.record(z.string(), z.string());
const serviceSchema = z.looseObject({
  image: z.string(),
  command: z.array(z.string()).default([]),
  environment: texts.default({}),
  networks: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).transform(namesOf),
  secrets: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  stop_grace_period: z.string().optional(),
  depends_on: z.record(z.string(), z.looseObject({ condition: z.string() })).default({}),
  ulimits: z.looseObject({ core: z.int() }).optional(),
  init: z.boolean().default(false),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  healthcheck: z.looseObject({}).optional(),
});

function namesOf(value: readonly string[] | Record<string, unknown>): readonly string[] {
  return Array.isArray(value) ? value : Object.keys(value);
}

/** The services of compose.yaml, with what they merge from others. */
export const compose: unknown = parse(deployFile("compose.yaml"), { merge: true });
export const services = z.object({ services: z.record(z.string(), serviceSchema) }).parse(compose).services;

const reference = z.object({ name: z.string() });
const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()).default([]),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).default([]),
  envFrom: z
    .array(z.object({ configMapRef: reference.optional(), secretRef: reference.optional() }))
    .default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })).default([]),
});
const manifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  data: texts.default({}),
  stringData: texts.default({}),
  spec: z
    .looseObject({
      template: z
        .looseObject({ spec: z.looseObject({ containers: z.array(container).length(1) }) })
        .optional(),
    })
    .optional(),
});

/** The Kubernetes manifests, each with its file. */
export const manifests = readdirSync(path.join(ROOT, "deploy", "kubernetes")).flatMap((file) =>
  parseAllDocuments(deployFile(path.join("kubernetes", file))).map((document) => {
    const source: unknown = document.toJS();
    return { file, source, manifest: manifestSchema.parse(source) };
  }),
);

/** The systemd units, each with its settings: a key and all its values. */
export const units = readdirSync(path.join(ROOT, "deploy", "systemd"))
  .filter((file) => file.endsWith(".service"))
  .map((file) => {
    const settings = new Map<string, string[]>();
    for (const [, key = "", value = ""] of deployFile(path.join("systemd", file)).matchAll(/^(\w+)=(.*)$/gm))
      settings.set(key, [...(settings.get(key) ?? []), value]);
    return { file, settings };
  });

/** Returns the program of an image and its command. */
function programOf(image: string, command: string | undefined): Program | undefined {
  if (command === "facilitator") return "facilitator";
  return (["app", "prover"] as const).find((name) => new RegExp(`\\bparley-${name}\\b`).test(image));
}

function fromCompose(): Started[] {
  return Object.entries(services).flatMap(([name, { image, command, environment }]) => {
    const program = programOf(image, command[0]);
    if (!program) return [];
    const isMigration = command[0] === "migrate";
    return [{ where: `compose.yaml ${name}`, programs: [program], isMigration, variables: environment }];
  });
}

function fromKubernetes(): Started[] {
  const held = (kind: string, name: string) =>
    manifests.find(({ manifest }) => manifest.kind === kind && manifest.metadata.name === name)?.manifest;
  return manifests.flatMap(({ file, manifest }) =>
    (manifest.spec?.template?.spec.containers ?? []).map(({ image, args, env, envFrom }) => {
      const variables: Record<string, string> = {};
      for (const { configMapRef, secretRef } of envFrom) {
        if (configMapRef) Object.assign(variables, held("ConfigMap", configMapRef.name)?.data);
        if (secretRef) Object.assign(variables, held("Secret", secretRef.name)?.stringData);
      }
      for (const { name, value = "" } of env) variables[name] = value;
      const program = programOf(image, args[0]);
      if (!program) throw new Error(`${file}: ${image} is no image of ours`);
      const isMigration = args[0] === "migrate";
      return { where: `${file} ${manifest.metadata.name}`, programs: [program], isMigration, variables };
    }),
  );
}

function fromSystemd(): Started[] {
  const own = units.filter(({ file }) => file !== "parley-store.service");
  return own.map(({ file, settings }) => {
    const isMigration = file.startsWith("parley-migrate");
    const [, named = ""] = /^parley-(\w+)/.exec(file) ?? [];
    const programs: readonly Program[] = isMigration
      ? ["app", "prover"]
      : (["app", "prover", "facilitator"] as const).filter((name) => name === named);
    // A port of an instance, as the comments show it.
    const words = (settings.get("Environment") ?? []).flatMap((line) => line.split(" "));
    const variables = Object.fromEntries(
      words.map((word) => {
        const [name = "", ...value] = word.split("=");
        return [name, value.join("=").replace("%i", "3000")];
      }),
    );
    return { where: file, programs, isMigration, variables };
  });
}

/** Every process of Parley that a file of deploy/ starts. */
export const started: readonly Started[] = [...fromCompose(), ...fromKubernetes(), ...fromSystemd()];

/** The stages of the Dockerfile by name, each with its instructions. */
export const stages = new Map(
  deployFile("Dockerfile")
    .replaceAll("\\\n", " ")
    .split(/^FROM /m)
    .slice(1)
    .map((text) => {
      const [, from = "", name = ""] = /^(\S+) AS (\S+)/.exec(text) ?? [];
      const instructions = text
        .split("\n")
        .slice(1)
        .filter((line) => /^\s*[A-Z]+ /.test(line));
      return [name, { from, instructions: instructions.map((line) => line.trim()), text }] as const;
    }),
);

/** Returns the variables that an image sets, with those of the stages below it. */
export function imageVariables(stage: string): Record<string, string> {
  const found = stages.get(stage);
  if (!found) return {};
  const words = found.instructions.flatMap((line) =>
    line.startsWith("ENV ") ? line.slice(4).trim().split(/\s+/) : [],
  );
  const own = words.map((word) => {
    const [name = "", value = ""] = word.split("=");
    return [name, value];
  });
  return { ...imageVariables(found.from), ...Object.fromEntries(own) };
}
