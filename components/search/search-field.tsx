"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useEffectEvent, useRef, useState, useTransition } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { LIMITS } from "@/lib/contract/limits";

const DEBOUNCE_MS = 250;

export interface SearchFieldProps {
  /** Path of the page with the results; it takes `q` and the fixed parameters. */
  readonly action: string;
  readonly q: string | undefined;
  /** Other query parameters to keep. */
  readonly fixed?: Readonly<Record<string, string | undefined>>;
  readonly label: string;
  readonly placeholder: string;
  readonly go: string;
  readonly focus?: boolean;
}

/** A search field that updates the page while the reader types. As a form, it works without JavaScript. */
export function SearchField({ action, q = "", fixed = {}, label, placeholder, go, focus }: SearchFieldProps) {
  const { t } = useWords();
  const router = useRouter();
  const [typed, setTyped] = useState(q);
  const [isOffline, setOffline] = useState(false);
  const [isPending, startTransition] = useTransition();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const requested = useRef(q);
  const kept = Object.entries(fixed).filter((pair): pair is [string, string] => pair[1] !== undefined);

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // The address changed by a link or the back button. During a search, `q` may still be an earlier prefix.
    if (isPending || q === requested.current) return;
    requested.current = q;
    setTyped(q);
  }, [q, isPending]);
  useEffect(() => {
    if (focus) field.current?.focus();
  }, [focus]);

  const search = (text: string) => {
    clearTimeout(timer.current);
    const next = text.trim();
    // Offline, the browser would replace this page with its own error page.
    setOffline(next !== requested.current && !navigator.onLine);
    if (next === requested.current || !navigator.onLine) return;
    requested.current = next;
    const query = new URLSearchParams([...kept, ...(next ? [["q", next]] : [])]);
    startTransition(() => router.replace(query.size > 0 ? `${action}?${query}` : action, { scroll: false }));
  };
  const searchAgain = useEffectEvent(() => search(typed));
  useEffect(() => {
    if (!isOffline) return;
    window.addEventListener("online", searchAgain);
    return () => window.removeEventListener("online", searchAgain);
  }, [isOffline]);
  const type = (text: string) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search(text), DEBOUNCE_MS);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search(typed);
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
