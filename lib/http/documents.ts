import type { Context } from "@/lib/context";
import { operations } from "@/lib/contract";
import { openApiDocument } from "./openapi";

/** GET /api/docs/openapi.json. */
export function describeApi({ deployment }: Pick<Context, "deployment">): Record<string, unknown> {
  return openApiDocument(operations, deployment.services.appUrl);
}
