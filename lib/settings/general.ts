import { homedir } from "node:os";
import path from "node:path";
import { choice, milliseconds, optional, port, text, url, withDefault } from "./declare";
import { type Environment, effectiveSettings } from "./read";

/** Variables that several programs read. */
export const generalVariables = {
  PARLEY_MODE: optional(choice("development", "production"), {
    about: "Production refuses development setup data, keys, issuers and logins",
    unset: "development; prover and facilitator alone: the mode of the description",
    example: "production",
  }),
  PARLEY_HOME: withDefault(text, ".parley", {
    about: "Folder for chains, databases, secrets and logs; readable by its own user only",
  }),
  PARLEY_DEPLOYMENT: optional(
    { ...text, rule: "the path of the deployment description, or its JSON itself" },
    {
      about: "Description of the installation; required in production",
      unset: "deployment.json in PARLEY_HOME",
      example: "/etc/parley/deployment.json",
    },
  ),
  CRS_PATH: optional(
    { ...text, rule: "a folder" },
    {
      about: "Folder with Aztec's Ignition points (bn254_g1.dat, bn254_g2.dat)",
      by: "app, prover",
      unset: "~/.bb-crs, then a download",
      example: "/var/lib/parley/crs",
    },
  ),
  PARLEY_CACHE: optional(
    { ...text, rule: "a folder" },
    {
      about: "Cache for setup data and proving keys",
      by: "app, prover",
      unset: "$XDG_CACHE_HOME/parley, else ~/.cache/parley",
      example: "/var/cache/parley",
    },
  ),
  PARLEY_CIRCUITS: optional(
    { ...text, rule: "a folder" },
    {
      about: "Folder of the compiled circuits that browsers prove with",
      unset: "circuits/artifacts",
      by: "app",
    },
  ),
  HOST: withDefault(text, "127.0.0.1", {
    about: "Address that app and prover listen on; containers need 0.0.0.0",
    by: "app, prover",
  }),
  PORT: withDefault(port, "3000", { about: "Port of the app", by: "app" }),
  KEEP_ALIVE_MS: withDefault(milliseconds, "75000", {
    about: "Time that the app keeps an idle connection: longer than the load balancer keeps it, often 60 s",
    by: "app",
  }),
  LOG_LEVEL: withDefault(choice("trace", "debug", "info", "warn", "error", "fatal", "silent"), "info", {
    about: "Least severe messages that are logged",
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(url, {
    about: "OpenTelemetry collector (OTLP over HTTP) that gets traces; its SDK's other variables apply, too",
    unset: "no traces",
    example: "http://localhost:4318",
  }),
};

/** Returns the folder of the installation's state, as it is set. */
export function homeFolder(environment: Environment = process.env): string {
  return effectiveSettings(generalVariables, environment).PARLEY_HOME;
}

/**
 * Returns the folder for what is slow to make, outside the repository: `$PARLEY_CACHE`, else `$XDG_CACHE_HOME/parley`,
 * else `~/.cache/parley`. Its contents can be deleted at any time.
 */
export function cacheFolder(environment: Environment = process.env): string {
  const { PARLEY_CACHE } = effectiveSettings(generalVariables, environment);
  const { XDG_CACHE_HOME, HOME = homedir() } = environment;
  return PARLEY_CACHE ?? path.join(XDG_CACHE_HOME ?? path.join(HOME, ".cache"), "parley");
}

/** Returns the level of the log; tests are silent unless told otherwise. */
export function logLevel(environment: Environment = process.env) {
  if (environment.VITEST && !environment.LOG_LEVEL) return "silent";
  return effectiveSettings(generalVariables, environment).LOG_LEVEL;
}

/** Returns the collector of traces, if there is one. */
export function tracesEndpoint(environment: Environment = process.env): string | undefined {
  return effectiveSettings(generalVariables, environment).OTEL_EXPORTER_OTLP_ENDPOINT;
}

/** Returns the folder that the operator names for the setup data. */
export function namedPoints(environment: Environment = process.env): string | undefined {
  return effectiveSettings(generalVariables, environment).CRS_PATH;
}
