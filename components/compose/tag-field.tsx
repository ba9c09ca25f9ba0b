"use client";

import { useState } from "react";
import { useWords } from "#words";
import { Field } from "@/components/ui/field";
import { MultiSelect } from "@/components/ui/multi-select";
import { LIMITS } from "@/lib/contract/limits";
import { cleanTag, isSameTag } from "./tags";
import { useLookup } from "./use-lookup";

export interface TagFieldProps {
  readonly tags: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
  /** What the server said of them. */
  readonly error: string | null;
}

/** Tags of a post: typed, or chosen among those that are used already. */
export function TagField({ tags, onChange, error }: TagFieldProps) {
  const { t } = useWords();
  const [typed, setTyped] = useState("");
  const search = cleanTag(typed);
  const known = useLookup<string>(search || null, async (q, signal) => {
    const { api, contract } = await import("@/components/api");
    return (await api.call(contract.tags.list, { q }, { signal })).tags.map(({ name }) => name);
  });
  return (
    <Field label={t("composer.tagsLabel")} hint={t("composer.tagsHint")} error={error}>
      {(control) => (
        <MultiSelect
          control={control}
          values={tags}
          onChange={onChange}
          onSearch={setTyped}
          free={/[,\n]/}
          find={(now) => {
            const own = cleanTag(now);
            if (!own) return [];
            // What was typed comes first: a new tag is as good as a known one.
            const others = known.filter(
              (name) => !isSameTag(name, own) && name.toLowerCase().startsWith(own.toLowerCase()),
            );
            return [known.find((name) => isSameTag(name, own)) ?? own, ...others].filter(
              (name) => !tags.some((tag) => isSameTag(tag, name)),
            );
          }}
          label={(name) => `#${name}`}
          max={LIMITS.post.tags}
          placeholder={t("composer.tagsPlaceholder")}
        />
      )}
    </Field>
  );
}
