/** Wei in one unit of a chain's currency, as a power of ten. */
const DECIMALS = 18;

/** Wei as people read an amount: two significant digits, "0.0000041"; "0" for nothing. */
export function roughAmount(wei: string): string {
  const digits = wei.replace(/^0+/, "");
  if (digits === "") return "0";
  const kept = Math.max(2, digits.length - DECIMALS);
  const shown = digits
    .slice(0, kept)
    .padEnd(digits.length, "0")
    .padStart(DECIMALS + 1, "0");
  const whole = shown.slice(0, -DECIMALS);
  const rest = shown.slice(-DECIMALS).replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
}
