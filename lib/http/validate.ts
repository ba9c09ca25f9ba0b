import type { z } from "zod";
import { isErrorCode } from "@/lib/contract/errors";
import { Refusal } from "@/lib/errors";

type Issue = z.core.$ZodIssue;

/**
 * Checks a part of a request against its schema.
 * @throws Refusal invalid_request with `field` and a sentence that states the rule.
 */
export function validate(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const { field, rule } = violation(issue);
  throw new Refusal("invalid_request", {
    field: field || undefined,
    message: field ? `${field} ${rule}.` : `The body ${rule}.`,
  });
}

/**
 * Checks path parameters. A path that cannot name anything names nothing: 404 of that resource.
 * @throws Refusal with the not-found code that belongs to the parameter (`topicId` -> topic_not_found)
 */
export function validateParams(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const name = String(result.error.issues[0]?.path[0] ?? "");
  const [resource = ""] = name.split(/(?=[A-Z])/);
  const code = name === "requestId" ? "proof_request_unknown" : `${resource}_not_found`;
  throw new Refusal(isErrorCode(code) ? code : "not_found");
}

/** Field and rule of the first violation, in words for people: "title" "must have at most 200 characters". */
function violation(issue: Issue | undefined): { field: string; rule: string } {
  if (!issue) return { field: "", rule: "is not valid" };
  const field = issue.path.join(".");
  const at = (rule: string) => ({ field, rule });
  switch (issue.code) {
    case "invalid_type":
      return at(isMissing(issue) ? "is required" : `must be ${kinds[issue.expected] ?? issue.expected}`);
    case "too_small":
      return at(`must have at least ${issue.minimum} ${unit(issue.origin)}`.trim());
    case "too_big":
      return at(`must have at most ${issue.maximum} ${unit(issue.origin)}`.trim());
    case "invalid_value":
      return at(`must be one of: ${issue.values.map(String).join(", ")}`);
    case "invalid_union": {
      // The alternatives disagree; the one that got furthest says best what is wrong.
      const found = issue.errors.flat().toSorted((a, b) => b.path.length - a.path.length);
      const inner = found.find((candidate) => !isMissing(candidate)) ?? found[0];
      if (!inner || !issue.message.startsWith("Invalid input")) return at(issue.message);
      const { field: below, rule } = violation(inner);
      return { field: [field, below].filter(Boolean).join("."), rule };
    }
    default:
      return at(issue.message.startsWith("must") ? issue.message : `is not valid (${issue.message})`);
  }
}

/** Kinds of value as people call them. */
const kinds: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** zod keeps the value out of its issues; only the message tells a missing one from a wrong one. */
function isMissing(issue: Issue): boolean {
  return issue.code === "invalid_type" && issue.message.endsWith("received undefined");
}

function unit(origin: string): string {
  if (origin === "string") return "characters";
  if (origin === "array" || origin === "set") return "entries";
  return "";
}
