/**
 * Whether text can be the id of a record. Routes refuse other text before it gets here; pages hand in their path as
 * it comes, and PostgreSQL refuses to compare a uuid with anything else.
 */
export function isRecordId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
