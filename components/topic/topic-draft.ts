import type { Topic } from "@/lib/contract";

export interface TopicDraft {
  readonly title: string;
  readonly description: string;
  readonly categoryId: string;
  /** Address of the uploaded picture; null for none. */
  readonly image: string | null;
  readonly visibility: Topic["visibility"];
  readonly gate: "none" | "domain" | "kyc" | "country";
  readonly domain: string;
  readonly countries: readonly string[];
  /** Whether members must live in one of the countries, or in none of them. */
  readonly included: boolean;
  readonly provider: "workspace" | "workspace_a" | "workspace_b";
}

export const emptyDraft: TopicDraft = {
  title: "",
  description: "",
  categoryId: "",
  image: null,
  visibility: "public",
  gate: "none",
  domain: "",
  countries: [],
  included: true,
  provider: "workspace",
};

export interface TopicProblems {
  readonly title: string | null;
  readonly category: string | null;
  readonly domain: string | null;
  readonly countries: string | null;
}
