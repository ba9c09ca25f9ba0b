import Link from "next/link";
import { SealMark } from "@/components/proof/seal-mark";
import * as en from "@/lib/i18n/en";

/** The name with its seal; leads home. */
export function Brand({ short }: { readonly short?: boolean }) {
  return (
    <Link
      href="/"
      className="tap inline-flex items-center gap-2 rounded-control font-serif text-xl font-semibold"
      aria-label={en.common.name}
    >
      <SealMark kind="person" size="sm" className="size-7" />
      {short ? null : <span>{en.common.name}</span>}
    </Link>
  );
}
