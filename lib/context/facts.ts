/** What a verification says about its holder. */
interface ProvenFacts {
  readonly domain: string | null;
  readonly countries: readonly string[] | null;
  /** Whether the holder lives in one of `countries` or in none of them; null exactly when they are. */
  readonly countriesIncluded: boolean | null;
}

/** Whose facts these are: sealed for one user and circuit they open under no other. */
export interface FactsOf {
  readonly userId: string;
  readonly circuit: string;
}

/** Columns of `verifications` that stand for facts. */
interface SealedFacts {
  readonly sealed: string;
  readonly facts_tag: string;
  readonly domain_tag: string | null;
}

/** Keeps what members proved out of reach of whoever reads the database without the installation's secret. */
export interface FactSeals {
  seal(of: FactsOf, facts: ProvenFacts): Promise<SealedFacts>;
  /** Null for what this installation's secret did not seal for them; the log has a line then. */
  open(of: FactsOf, sealed: string | null): Promise<ProvenFacts | null>;
  /** What SQL compares instead of a domain. Another one for every user, so that tags show no colleagues. */
  domainTag(userId: string, domain: string): string;
}
