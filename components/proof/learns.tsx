import { Eye, EyeOff } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "@/components/ui/cx";
import * as en from "@/lib/i18n/en";

/** What we learn from the proof, and what stays hidden; side by side. */
export function Learns({ domain, narrow }: { readonly domain: string | null; readonly narrow?: boolean }) {
  return (
    <div className={cx("grid gap-4", !narrow && "sm:grid-cols-2")}>
      <Half
        title={en.signIn.learns}
        icon={<Eye className="size-4 text-soft" aria-hidden />}
        items={en.signIn.learnsList(domain ? en.signIn.thatDomain(domain) : en.signIn.domainOf)}
      />
      <Half
        title={en.signIn.hidden}
        icon={<EyeOff className="size-4 text-soft" aria-hidden />}
        items={en.signIn.hiddenList}
      />
      <p className={cx("text-sm text-soft", !narrow && "sm:col-span-2")}>{en.signIn.proverSees}</p>
    </div>
  );
}

interface HalfProps {
  readonly title: string;
  readonly icon: ReactNode;
  readonly items: readonly string[];
}

function Half({ title, icon, items }: HalfProps) {
  return (
    <section>
      <h2 className="mb-2 flex items-center gap-2 text-sm font-semibold">
        {icon}
        {title}
      </h2>
      <ul className="grid list-disc gap-1 ps-5 text-soft">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </section>
  );
}
