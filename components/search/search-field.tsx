"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useEffectEvent, useRef, useState, useTransition } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { LIMITS } from "@/lib/contract/limits";

/** Milliseconds without a letter after which what was typed is looked for. */
const PAUSE_MS = 250;

export interface SearchFieldProps {
  /** Page that shows what was found; it takes `q` beside what is fixed. */
  readonly action: string;
  readonly q: string | undefined;
  /** Other parameters of the page that stay. */
  readonly fixed?: Readonly<Record<string, string | undefined>>;
  readonly label: string;
  readonly placeholder: string;
  readonly go: string;
  /** Takes the focus at once: the page is there to search. */
  readonly focus?: boolean;
}

/**
 * A field whose page is read again while one types. It is a form, so it works without JavaScript; without a network it says
 * so and leaves what is there.
 */
export function SearchField({ action, q = "", fixed = {}, label, placeholder, go, focus }: SearchFieldProps) {
  const { t } = useWords();
  const router = useRouter();
  const [typed, setTyped] = useState(q);
  const [isOffline, setOffline] = useState(false);
  const [isPending, startTransition] = useTransition();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const asked = useRef(q);
  const kept = Object.entries(fixed).filter((pair): pair is [string, string] => pair[1] !== undefined);

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // The address changed by another way than this field: a link, or the browser's back. While something is looked for, an
    // answer to fewer letters may come by.
    if (isPending || q === asked.current) return;
    asked.current = q;
    setTyped(q);
  }, [q, isPending]);
  useEffect(() => {
    if (focus) field.current?.focus();
  }, [focus]);

  const look = (text: string) => {
    clearTimeout(timer.current);
    const next = text.trim();
    // A page that cannot be fetched would be replaced by the browser's own.
    setOffline(next !== asked.current && !navigator.onLine);
    if (next === asked.current || !navigator.onLine) return;
    asked.current = next;
    const query = new URLSearchParams([...kept, ...(next ? [["q", next]] : [])]);
    startTransition(() => router.replace(query.size > 0 ? `${action}?${query}` : action, { scroll: false }));
  };
  const lookAgain = useEffectEvent(() => look(typed));
  useEffect(() => {
    if (!isOffline) return;
    window.addEventListener("online", lookAgain);
    return () => window.removeEventListener("online", lookAgain);
  }, [isOffline]);
  const type = (text: string) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => look(text), PAUSE_MS);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    look(typed);
  };
  return (
    <search className="grid gap-2">
      <form action={action} onSubmit={submit} className="flex gap-2">
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div className="relative flex-1">
          <Search className="pointer-events-none absolute start-3 top-3 size-4 text-soft" aria-hidden />
          <Input
            ref={field}
            type="search"
            name="q"
            data-search
            maxLength={LIMITS.search}
            autoComplete="off"
            value={typed}
            aria-label={label}
            placeholder={placeholder}
            className="ps-9"
            onChange={(event) => type(event.target.value)}
          />
        </div>
        <Button type="submit" busy={isPending}>
          {go}
        </Button>
      </form>
      <p role="status" className="text-sm text-soft empty:hidden">
        {isOffline ? t("search.offline") : null}
      </p>
    </search>
  );
}
