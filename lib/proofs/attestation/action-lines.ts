import { getTypesForEIP712Domain } from "viem";
import { type Action, isRecord, kindOf } from "./action";

/** One line of an action for display. */
export type ActionLine = {
  /** Full path, e.g. `domain.chainId` or `message.order.items[0].price`; unique. */
  path: string;
  /** Last part of the path, e.g. `price` or `[0]`. */
  label: string;
  /** EIP-712 type, e.g. `uint256`, `Order`, `Item[]`. */
  type: string;
  /** The value in full; empty for a struct, the number of entries for a list. */
  value: string;
  /** Nesting: 0 for the domain and the message themselves. */
  depth: number;
};

/**
 * Lists everything the wallet is about to sign, in signing order: the domain's fields, then every value of the message.
 * Writes characters that are invisible or reorder text as \u{hex}, and a backslash as two.
 * @param action as returned by `actionSchema` or `readAction`.
 */
export function describeAction({ domain, types, primaryType, message }: Action): ActionLine[] {
  const lines: ActionLine[] = [];
  const allTypes = { ...types, EIP712Domain: getTypesForEIP712Domain({ domain }) };
  const add = (place: Omit<ActionLine, "value">, value: unknown): void => {
    const { path, type, depth } = place;
    const kind = kindOf(type, allTypes);
    if (kind?.kind === "struct" && isRecord(value)) {
      lines.push({ ...place, value: "" });
      for (const { name, type: inner } of kind.members) {
        add({ path: `${path}.${name}`, label: name, type: inner, depth: depth + 1 }, value[name]);
      }
    } else if (kind?.kind === "array" && Array.isArray(value)) {
      lines.push({ ...place, value: value.length === 1 ? "1 entry" : `${value.length} entries` });
      value.forEach((entry: unknown, i) => {
        add({ path: `${path}[${i}]`, label: `[${i}]`, type: kind.of, depth: depth + 1 }, entry);
      });
    } else {
      lines.push({ ...place, value: visible(String(value)) });
    }
  };
  add({ path: "domain", label: "domain", type: "EIP712Domain", depth: 0 }, domain);
  add({ path: "message", label: "message", type: primaryType, depth: 0 }, message);
  return lines;
}

/** Control, format, bidirectional, ignorable and unassigned characters, and all spaces but the plain one. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|[^\S ]/gu;

function visible(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replace(INVISIBLE, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
