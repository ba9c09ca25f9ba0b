import * as en from "@/lib/i18n/en";

/** The six digits both screens show. */
export function Code({ code }: { readonly code: string }) {
  return (
    <p className="grid gap-1">
      <span className="text-sm text-soft">{en.relay.code}</span>
      <output className="font-mono text-3xl font-semibold tracking-widest" aria-label={en.relay.code}>
        {`${code.slice(0, 3)} ${code.slice(3)}`}
      </output>
    </p>
  );
}
