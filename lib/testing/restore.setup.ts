import { afterAll, vi } from "vitest";

const { Request, Response } = globalThis;

/**
 * Files of one worker share their globals: what a test put in place of one of them ends with its file. The Node adapter of
 * Hono replaces two by itself.
 */
afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  for (const [name, value] of Object.entries({ Request, Response })) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
});
