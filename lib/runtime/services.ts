import { AsyncLocalStorage } from "node:async_hooks";
import type { Services } from "./assemble";
import { processState } from "./process";

const scoped = new AsyncLocalStorage<Services>();

/** Runs something with other services than the process's own: how tests give each suite its database. */
export function withServices<T>(services: Services, run: () => T): T {
  return scoped.run(services, run);
}

/**
 * The services of this process, opened at first use.
 * @throws ConfigError, FolderInUseError and whatever opening the database or reading the deployment throws.
 */
export async function getServices(): Promise<Services> {
  const own = scoped.getStore();
  if (own) return own;
  const state = processState();
  state.services ??= import("./start").then(({ startServices }) => startServices(process.env));
  return await state.services;
}
