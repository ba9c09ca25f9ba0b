import { notFound } from "@/lib/http/methods";

/** Every /api path that no other route file takes. */
export { notFound as DELETE, notFound as GET, notFound as PATCH, notFound as POST, notFound as PUT };
