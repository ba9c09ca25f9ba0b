"use client";

import { useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { ErrorNote, Note } from "@/components/ui/notes";
import type { AppClaim } from "@/lib/contract/app-claims";
import { codesOr, countriesOr } from "@/lib/i18n/countries";
import type { Words } from "@/lib/i18n/words";

interface Asked {
  readonly claim: AppClaim;
  readonly values: readonly string[] | null;
  readonly essential: boolean;
}

export interface ConsentProps {
  readonly request: {
    readonly requestId: string;
    readonly ticket: string;
    readonly app: { readonly name: string; readonly host: string };
    readonly asked: readonly Asked[];
    readonly answers: {
      readonly domain?: string;
      readonly country_in?: readonly string[];
      readonly human?: true;
    };
  };
}

/** What an app would learn of the reader, each to be allowed or not, and the decision. */
export function Consent({ request: { requestId, ticket, app, asked, answers } }: ConsentProps) {
  const words = useWords();
  const { t } = words;
  const isKnown = ({ claim }: Asked) => answers[claim] !== undefined;
  const [claims, setClaims] = useState<readonly AppClaim[]>(
    asked.filter((one) => one.essential && isKnown(one)).map(({ claim }) => claim),
  );
  const [busy, setBusy] = useState<"allow" | "decline" | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const lacks = asked.some((one) => one.essential && !isKnown(one));
  const decide = async (allow: boolean) => {
    setBusy(allow ? "allow" : "decline");
    setProblem(null);
    const answer = await callApi(words, ({ api, contract }) =>
      api.call(contract.apps.answer, { appRequestId: requestId, ticket, allow, claims: [...claims] }),
    );
    // The button stays busy until the app's page is there.
    if (answer.ok) return location.assign(answer.value.redirectTo);
    setBusy(null);
    setProblem(answer.sentence);
  };
  return (
    <div className="grid max-w-[60ch] gap-5">
      {asked.length > 0 ? (
        <fieldset className="grid gap-2 rounded-sheet border bg-sheet p-4">
          <legend className="px-1 text-sm font-medium">{t("authorize.asks")}</legend>
          {asked.map((one) => (
            <label key={one.claim} className="tap flex items-start gap-2">
              <input
                type="checkbox"
                className="mt-1 size-4 shrink-0 accent-(--ink)"
                checked={claims.includes(one.claim)}
                disabled={!isKnown(one) || one.essential}
                onChange={({ target }) =>
                  setClaims((before) =>
                    target.checked ? [...before, one.claim] : before.filter((claim) => claim !== one.claim),
                  )
                }
              />
              <span className="min-w-0 wrap-anywhere">
                <span className={isKnown(one) ? undefined : "text-soft"}>
                  {sentenceOf(words, one, answers)}
                </span>
                {one.essential ? (
                  <span className="block text-sm text-soft">{t("authorize.needed")}</span>
                ) : null}
              </span>
            </label>
          ))}
          {asked.every(isKnown) ? null : <p className="text-sm text-soft">{t("authorize.prove")}</p>}
        </fieldset>
      ) : null}
      <p className="text-soft">{t("authorize.hidden")}</p>
      <Note>{t("authorize.unchecked", { host: app.host })}</Note>
      {problem ? <ErrorNote>{problem}</ErrorNote> : null}
      <div className="flex flex-wrap gap-2">
        <Button
          tone="primary"
          busy={busy === "allow"}
          disabled={lacks || busy !== null}
          onClick={() => void decide(true)}
        >
          {t("authorize.allow", { host: app.host })}
        </Button>
        <Button busy={busy === "decline"} disabled={busy !== null} onClick={() => void decide(false)}>
          {t("authorize.decline")}
        </Button>
      </div>
    </div>
  );
}

/** Says what the app would learn, or that the reader's proofs do not show it. */
function sentenceOf(
  words: Words,
  { claim, values }: Asked,
  { domain, country_in, human }: ConsentProps["request"]["answers"],
): string {
  const { t } = words;
  switch (claim) {
    case "domain":
      if (domain !== undefined) return t("authorize.domain", { domain });
      return values
        ? t("authorize.domainOther", { list: codesOr(words, values) })
        : t("authorize.domainNone");
    case "country_in":
      if (country_in) return t("authorize.countries", { list: countriesOr(words, country_in) });
      return values
        ? t("authorize.countriesOther", { list: countriesOr(words, values) })
        : t("authorize.countriesNone");
    case "human":
      return t(human ? "authorize.human" : "authorize.humanNone");
  }
}
