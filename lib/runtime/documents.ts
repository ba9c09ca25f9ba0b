import type { Context } from "@/lib/community/context";
import { operations } from "@/lib/contract";
import { openApiDocument } from "@/lib/http/openapi";

/** GET /api/docs/openapi.json. */
export function describeApi({ deployment }: Pick<Context, "deployment">): Record<string, unknown> {
  return openApiDocument(operations, deployment.services.appUrl);
}
