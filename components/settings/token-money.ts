/** Returns millionths of a USD as text: "0.50". */
export function dollars(amount: number): string {
  return (amount / 1_000_000).toFixed(2);
}

/** Returns typed dollars in millionths; null for what is no amount. Empty is nothing. */
export function amountOf(typed: string, most: number): number | null {
  if (!/^\d{0,6}([.,]\d{0,2})?$/.test(typed.trim())) return null;
  const amount = Math.round(Number(typed.trim().replace(",", ".") || 0) * 1_000_000);
  return amount <= most ? amount : null;
}
