import { AsyncLocalStorage } from "node:async_hooks";
import type { Services } from "./assemble";
import { processState } from "./process";

const scoped = new AsyncLocalStorage<Services>();

/** Runs a function with other services than the process's own; tests use it to give each suite its database. */
export function withServices<T>(services: Services, run: () => T): T {
  return scoped.run(services, run);
}

/** Returns the services of this process, opened on first use. @throws what startServices does */
export async function getServices(): Promise<Services> {
  const own = scoped.getStore();
  if (own) return own;
  const state = processState();
  state.services ??= import("./start").then(({ startServices }) => startServices(process.env));
  return await state.services;
}
