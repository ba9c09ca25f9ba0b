/** One field of a request's `inputs`. */
export interface GuideField {
  name: string;
  type: string;
  required: boolean;
  note: string;
}

/** The part of a guide that differs by circuit. */
export interface CircuitGuide {
  fields: GuideField[];
  serverComputed: string[];
  formulas: Record<string, string>;
  limits: Record<string, number>;
  /** Public only: no tokens, no keys. */
  vectors: unknown[];
}
