"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { Button, type ButtonProps } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";
import { BanNote } from "./ban-note";
import { useJoin } from "./use-join";

export interface JoinNowProps {
  readonly topic: { readonly id: string; readonly title: string };
  readonly verb: string;
  readonly tone?: ButtonProps["tone"];
}

/** Joins a topic where one is, without a page in between. If a proof is needed after all, it leads to that page. */
export function JoinNow({ topic: { id, title }, verb, tone = "primary" }: JoinNowProps) {
  const router = useRouter();
  const page = `/topics/${id}/join`;
  const { step, error, ban, join } = useJoin({ topicId: id, title }, page);
  useEffect(() => {
    if (step === "proof") router.push(page);
  }, [step, page, router]);
  if (ban) return <BanNote until={ban.until} />;
  return (
    <div className="grid justify-items-start gap-3">
      {error ? <ErrorNote>{error}</ErrorNote> : null}
      <Button tone={tone} wrap busy={step === "joining"} onClick={() => join()}>
        {verb}
      </Button>
    </div>
  );
}
