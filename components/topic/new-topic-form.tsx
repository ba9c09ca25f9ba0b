"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useState } from "react";
import type { PublicConfig } from "@/components/proof/config";
import { issuersFor } from "@/components/proof/issuers";
import { ProofFlow } from "@/components/proof/proof-flow";
import { loadRun } from "@/components/proof/run/storage";
import type { NewTopicBody } from "@/components/proof/run/types";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";
import type { Category } from "@/lib/contract";
import * as en from "@/lib/i18n/en";
import { emptyDraft, type TopicDraft, TopicFields, type TopicProblems } from "./topic-fields";

const domainRule = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/;

function problemsOf(draft: TopicDraft): TopicProblems {
  return {
    title: draft.title.trim() ? null : en.newTopic.emptyName,
    category: draft.categoryId ? null : en.newTopic.emptyCategory,
    domain:
      draft.gate === "domain" && !domainRule.test(draft.domain.trim().toLowerCase())
        ? en.newTopic.badDomain
        : null,
  };
}

export interface NewTopicFormProps {
  readonly config: PublicConfig;
  readonly categories: readonly Category[];
}

/** The form, and the proof its author needs when they set a gate they have not passed yet. */
export function NewTopicForm({ config, categories }: NewTopicFormProps) {
  const router = useRouter();
  const [draft, setDraft] = useState<TopicDraft>(emptyDraft);
  const [problems, setProblems] = useState<TopicProblems>({ title: null, category: null, domain: null });
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [toProve, setToProve] = useState<NewTopicBody | null>(null);

  useEffect(() => {
    // Back from the provider, or reloaded in the middle: the run remembers what it was for.
    const run = loadRun();
    if (run?.purpose.kind === "create") setToProve(run.purpose.topic);
  }, []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOf(draft);
    setProblems(found);
    if (Object.values(found).some(Boolean)) return;
    setBusy(true);
    setError(null);
    const { api, contract, sentence, codeOf } = await import("@/components/api");
    const common = {
      title: draft.title.trim(),
      categoryId: draft.categoryId,
      description: draft.description.trim() || undefined,
      visibility: draft.visibility,
    };
    const gated: NewTopicBody = {
      ...common,
      proofType: draft.provider,
      requiredDomain: draft.domain.trim().toLowerCase(),
    };
    try {
      const body = draft.gate === "domain" ? gated : common;
      const { topic } = await api.call(contract.topics.create, body);
      router.push(`/topics/${topic.id}`);
      router.refresh();
    } catch (cause) {
      if (codeOf(cause) === "proof_required") setToProve(gated);
      else setError(sentence(cause));
      setBusy(false);
    }
  };

  if (toProve) {
    return (
      <ProofFlow
        config={config}
        issuers={issuersFor(config, toProve.proofType)}
        domain={toProve.requiredDomain ?? null}
        page="/topics/new"
        next="/topics"
        purpose={{ kind: "create", topic: toProve }}
      />
    );
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-6">
      <TopicFields draft={draft} problems={problems} categories={categories} onChange={setDraft} />
      {error ? <ErrorNote>{error}</ErrorNote> : null}
      <div>
        <Button type="submit" tone="primary" busy={busy}>
          {en.newTopic.create}
        </Button>
      </div>
    </form>
  );
}
