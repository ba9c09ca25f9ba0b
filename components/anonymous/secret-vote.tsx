import { type FormEvent, useEffect, useId, useState } from "react";
import { useWords } from "#words";
import { reader } from "@/components/offline/state";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { readElectorate } from "@/lib/client/anonymous/crowd";
import { type CastBallot, read, watchAnonymous } from "@/lib/client/anonymous/store";
import type { Poll } from "@/lib/contract";
import { listed } from "@/lib/i18n/time";
import { keepAct } from "./keep";
import { signed } from "./parts";
import { WhenField } from "./when-field";

export interface SecretVoteProps {
  readonly poll: Poll;
  readonly topicId: string;
}

interface Standing {
  readonly isIn: boolean;
  /** What this device cast last; nobody else knows it. */
  readonly cast: CastBallot | null;
}

/** Casts a secret ballot, or changes it. Nothing of it is sent before its moment. */
export function SecretVote({ poll, topicId }: SecretVoteProps) {
  const words = useWords();
  const { t } = words;
  const standing = useElectorate(poll, topicId);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isNow, setNow] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  if (!standing) return null;
  if (!standing.isIn) return <p className="text-sm text-soft">{t("anonymous.ballot.notIn")}</p>;
  const { cast } = standing;
  if (cast && !isOpen) {
    return (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
        <p dir="auto">{t("anonymous.ballot.own", { choice: cast.choice })}</p>
        <Button size="sm" tone="quiet" onClick={() => setOpen(true)}>
          {t("anonymous.ballot.change")}
        </Button>
      </div>
    );
  }
  const press = (option: string) => {
    if (!poll.multipleChoice) return setChosen([option]);
    setChosen((before) =>
      before.includes(option) ? before.filter((one) => one !== option) : [...before, option],
    );
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const options = poll.options.filter((option) => chosen.includes(option.id));
    if (!poll.secret || options.length === 0) return;
    const act = {
      ...{ kind: "ballot" as const, topicId, postId: poll.postId, pollId: poll.id, root: poll.secret.root },
      optionIds: options.map((option) => option.id),
      choice: listed(
        words,
        options.map(({ text }) => text),
      ),
    };
    if (!(await keepAct(act, isNow))) return setProblem(t("anonymous.problems.failed"));
    toast({ text: t("anonymous.kept") });
    setOpen(false);
    setChosen([]);
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-3 border-t pt-3">
      <fieldset className="grid gap-1.5">
        <legend className="mb-1 text-sm font-medium">{t("anonymous.ballot.choose")}</legend>
        {poll.options.map((option) => (
          <label key={option.id} className="tap flex w-fit items-center gap-2">
            <input
              type={poll.multipleChoice ? "checkbox" : "radio"}
              name={id}
              className="size-4 shrink-0 accent-(--ink)"
              checked={chosen.includes(option.id)}
              onChange={() => press(option.id)}
            />
            <span dir="auto">{option.text}</span>
          </label>
        ))}
      </fieldset>
      <WhenField isNow={isNow} onChange={setNow} />
      <p role="alert" className="text-sm text-seal empty:hidden">
        {problem}
      </p>
      <div>
        <Button type="submit" size="sm" disabled={chosen.length === 0}>
          {t("anonymous.ballot.cast")}
        </Button>
      </div>
    </form>
  );
}

/** How this device stands to the crowd that votes; null until it is known, and without a secret. */
function useElectorate(poll: Poll, topicId: string): Standing | null {
  const [standing, setStanding] = useState<Standing | null>(null);
  const { id: pollId, secret } = poll;
  const root = secret?.root;
  useEffect(() => {
    const userId = reader();
    if (!userId || root === undefined) return;
    let gone = false;
    const look = async () => {
      const found = await readElectorate(signed, userId, { topicId, root });
      const cast = await read("ballots", userId, pollId);
      if (!gone) setStanding({ isIn: found?.isIn ?? false, cast });
    };
    // Without the network or a database it is not offered.
    const lookAgain = () => void look().catch(() => undefined);
    lookAgain();
    const unwatch = watchAnonymous(lookAgain);
    return () => {
      gone = true;
      unwatch();
    };
  }, [topicId, root, pollId]);
  return standing;
}
