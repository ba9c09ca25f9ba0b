import type { Selectable } from "kysely";
import type { Db } from "@/db/schema";
import type { CategoryTable } from "@/db/schema/community";
import type { Context } from "@/lib/context";
import type { contract, ResponseBody } from "@/lib/contract";
import { Refusal } from "@/lib/errors";

type CategoryRow = Selectable<CategoryTable>;

/** Only migrations change categories, so a process reads them once per database. */
const known = new WeakMap<Db, Promise<CategoryRow[]>>();

/** Returns all categories in their display order. */
export function loadCategories(db: Db): Promise<CategoryRow[]> {
  let rows = known.get(db);
  if (!rows) {
    rows = db.selectFrom("categories").selectAll().orderBy("sort_order").execute();
    known.set(db, rows);
    // A failed read is not cached.
    rows.catch(() => known.delete(db));
  }
  return rows;
}

/** GET /api/categories */
export async function listCategories(ctx: Context): Promise<ResponseBody<typeof contract.categories.list>> {
  const rows = await loadCategories(ctx.db);
  return {
    categories: rows.map((row) => ({
      id: row.id,
      name: row.name,
      slug: row.slug,
      description: row.description,
      icon: row.icon,
      sortOrder: row.sort_order,
      createdAt: row.created_at.toISOString(),
    })),
  };
}

/**
 * Returns the id of the category to filter a list by; null without a filter.
 * @throws Refusal category_not_found
 */
export async function categoryFilter(db: Db, slug: string | undefined): Promise<string | null> {
  if (!slug) return null;
  const found = (await loadCategories(db)).find((category) => category.slug === slug);
  if (!found) throw new Refusal("category_not_found", { field: "category" });
  return found.id;
}
