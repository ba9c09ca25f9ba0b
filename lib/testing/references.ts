/** Returns a JSON document with what its references (`#/…`) lead to in their place. None may lead to itself. */
export function withoutReferences(document: unknown): unknown {
  const resolve = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return part.map(resolve);
    if ("$ref" in part && typeof part.$ref === "string") return resolve(at(document, part.$ref));
    return Object.fromEntries(Object.entries(part).map(([name, child]) => [name, resolve(child)]));
  };
  return resolve(document);
}

function at(document: unknown, reference: string): unknown {
  const found = reference
    .split("/")
    .slice(1)
    .reduce<unknown>((part, name) => new Map(Object.entries(Object(part))).get(name), document);
  if (!reference.startsWith("#/") || found === undefined)
    throw new Error(`${reference} is not in the document`);
  return found;
}

/** Returns the paths of the properties of a document's schemas that have no description. */
export function undescribed(document: unknown): string[] {
  const missing: string[] = [];
  const walk = (part: unknown, at: string) => {
    if (typeof part !== "object" || part === null) return;
    for (const [keyword, child] of Object.entries(part)) {
      // What an example has under `properties` is no schema.
      if (keyword !== "example") walk(child, `${at}.${keyword}`);
    }
    // A property can have this name, too.
    if (!("properties" in part) || at.endsWith(".properties")) return;
    for (const [name, property] of Object.entries(Object(part.properties))) {
      const described: object = Object(property);
      if (!("description" in described || "$ref" in described)) missing.push(`${at}.${name}`);
    }
  };
  walk(document, "");
  return missing;
}
