import { type Address, domainSeparator, getTypesForEIP712Domain, type Hex, hashStruct } from "viem";
import { z } from "zod";
import { actionDigest } from "../derivations";
import { ProofInputError } from "../errors";
import { addressSchema, hex32Schema } from "../hex";
import { ActionProblem, isRecord, kindOf, type StructTypes, ValueReader } from "./action-values";

/** EIP-712 typed data a wallet authorises; integers of the message are decimal strings (JSON-safe). */
export type Action = {
  domain: { name: string; version: string; chainId: number; verifyingContract: Address; salt?: Hex };
  /** Struct types without EIP712Domain, which always is the domain's own fields in EIP-712 order. */
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
};

const DOMAIN_TYPE = "EIP712Domain";

/** The domain names the application and its chain: an action of another one has another hash. */
const domainSchema = z.strictObject({
  name: z.string().min(1).max(1000),
  version: z.string().min(1).max(1000),
  chainId: z
    .union([z.int(), z.string().regex(/^[1-9][0-9]{0,15}$/), z.bigint()])
    .transform(Number)
    .pipe(z.int().positive()),
  verifyingContract: addressSchema,
  salt: hex32Schema.optional(),
});

/** Names that no object has by itself, and that viem's signing takes for no Solidity type. */
const nameSchema = z
  .string()
  .max(100)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be an identifier")
  .refine((name) => !(name in Object.prototype), { error: "must not be a name every object has" });
const structNameSchema = nameSchema.refine(
  (name) => !/^(bytes|uint|int)|^(address|bool|string)$/.test(name),
  { error: "must not look like a Solidity type" },
);
const membersSchema = z
  .array(z.object({ name: nameSchema, type: z.string().max(200) }))
  .max(100)
  .refine((members) => new Set(members.map(({ name }) => name)).size === members.length, {
    error: "must not name a member twice",
  });

const rawSchema = z.object({
  domain: domainSchema,
  types: z.record(structNameSchema, membersSchema).refine((types) => Object.keys(types).length <= 100),
  primaryType: z.string(),
  message: z.custom<Record<string, unknown>>(isRecord, { error: "must be an object" }),
});

/**
 * Reads, checks and normalises an action: every value fits its type, nothing is left out, nothing stays unsigned. What
 * comes out has the same hashes, and one JSON form.
 */
export const actionSchema: z.ZodType<Action, unknown> = rawSchema.transform((raw, context) => {
  try {
    return normalise(raw);
  } catch (error) {
    if (!(error instanceof ActionProblem)) throw error;
    context.addIssue({ code: "custom", path: [error.path], message: error.rule });
    return z.NEVER;
  }
});

function normalise(raw: z.infer<typeof rawSchema>): Action {
  const { [DOMAIN_TYPE]: domainType, ...types } = raw.types;
  const { salt, ...fields } = raw.domain;
  const domain = salt ? { ...fields, salt } : fields;
  const canonical = getTypesForEIP712Domain({ domain });
  // Typed data may name its own domain fields; one that leaves some out would sign less than is shown.
  if (domainType && JSON.stringify(domainType) !== JSON.stringify(canonical)) {
    throw new ActionProblem(`types.${DOMAIN_TYPE}`, "must be the fields of the domain in EIP-712 order");
  }
  if (kindOf(raw.primaryType, types)?.kind !== "struct") {
    throw new ActionProblem("primaryType", "must be one of the struct types");
  }
  checkTypes(types);
  const message = new ValueReader(types).read(raw.primaryType, raw.message, "message");
  if (!isRecord(message)) throw new ActionProblem("message", "must be an object");
  return { domain, types, primaryType: raw.primaryType, message };
}

function checkTypes(types: StructTypes): void {
  for (const [struct, members] of Object.entries(types)) {
    for (const { name, type } of members) {
      let kind = kindOf(type, types);
      while (kind?.kind === "array") kind = kindOf(kind.of, types);
      if (!kind) throw new ActionProblem(`types.${struct}.${name}`, "has a type that is not defined");
    }
  }
}

/**
 * An action from a caller's own data.
 * @throws ProofInputError ACTION_INVALID naming the first wrong part.
 */
export function readAction(action: unknown): Action {
  const parsed = actionSchema.safeParse(action);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ProofInputError(
    "ACTION_INVALID",
    ["action", ...(issue?.path ?? [])].join("."),
    `the action cannot be signed: ${issue?.message}`,
  );
}

export type ActionHashes = {
  /** EIP-712 domain hash. */
  domainSeparator: Hex;
  /** hashStruct(primaryType, message). */
  actionHash: Hex;
  /** keccak256(0x1901 ‖ domainSeparator ‖ actionHash): what the wallet signs. */
  digest: Hex;
};

/** Hashes of an action (EIP-712). @param action as `actionSchema` or `readAction` returned it. */
export function hashesOf({ domain, types, primaryType, message }: Action): ActionHashes {
  const separator = domainSeparator({ domain });
  const actionHash = hashStruct({ data: message, primaryType, types });
  return { domainSeparator: separator, actionHash, digest: actionDigest(separator, actionHash) };
}
