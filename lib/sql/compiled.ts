import { type CompiledQuery, createQueryId, type Kysely, type RawBuilder, sql } from "kysely";

/** Stands in a compiled query for a value that each run gives. */
class Place {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Returns the SQL parameter for a value by its name. */
export type PlaceOf<Values> = <Name extends keyof Values>(name: Name) => RawBuilder<Values[Name]>;

/** What decides about the text of a query besides its values: names of fixed lists, and yes or no. */
type Shape = readonly (string | boolean)[];

/**
 * Makes a query that is built and compiled once per shape, and then runs with values. For the queries of most requests:
 * building and compiling one anew takes longer than reading its rows.
 *
 * @param build returns the compiled query. It sees no values, so that its text cannot depend on them.
 * @returns runs the query, on the database or in a transaction
 *
 * @example const named = compiledQuery((db: Db, value: PlaceOf<{ id: string }>) =>
 *   db.selectFrom("users").select("nickname").where("id", "=", value("id")).compile());
 * const [user] = await named(db, { id });
 */
export function compiledQuery<Schema, Values extends object, Row, Given extends Shape>(
  build: (db: Kysely<Schema>, value: PlaceOf<Values>, ...shape: Given) => CompiledQuery<Row>,
): (db: Kysely<Schema>, values: Values, ...shape: Given) => Promise<Row[]> {
  const byShape = new Map<string, CompiledQuery<Row>>();
  const place: PlaceOf<Values> = (name) => sql`${new Place(name)}`;
  return async (db, values, ...shape) => {
    const key = shape.join();
    let compiled = byShape.get(key);
    if (!compiled) {
      compiled = build(db, place, ...shape);
      byShape.set(key, compiled);
    }
    const parameters = compiled.parameters.map((item): unknown =>
      item instanceof Place ? Reflect.get(values, item.name) : item,
    );
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters, queryId: createQueryId() });
    return rows;
  };
}
