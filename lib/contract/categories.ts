import { z } from "zod";
import { dateTime } from "./common";
import { operation } from "./operation";

export const category = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  icon: z.string().nullable(),
  sortOrder: z.int(),
  createdAt: dateTime,
});
export type Category = z.infer<typeof category>;

export const listCategories = operation({
  id: "categories.list",
  method: "GET",
  path: "/api/categories",
  summary: "The twelve categories",
  tag: "topics",
  auth: "optional",
  nickname: false,
  access: "anyone",
  limit: { points: 300, seconds: 60 },
  responses: { 200: z.object({ categories: z.array(category) }) },
  errors: [],
});
