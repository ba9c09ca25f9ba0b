import { Page } from "@/components/shell/page";
import { Skeleton } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";

/** Shape of a page of rows while the server reads. */
export function ListSkeleton({ title, back }: { readonly title: string; readonly back?: string }) {
  return (
    <Page title={title} back={back}>
      <p className="sr-only" role="status">
        {en.common.loading}
      </p>
      <Skeleton className="h-10 w-full" />
      {["a", "b", "c", "d"].map((row) => (
        <div key={row} className="grid gap-3 py-3">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-6 w-4/5" />
          <Skeleton className="h-4 w-full" />
        </div>
      ))}
    </Page>
  );
}

/** Shape of a page about one thing. */
export function ThingSkeleton({ back }: { readonly back: string }) {
  return (
    <Page title={en.common.loading} back={back} ownHeading>
      <p className="sr-only" role="status">
        {en.common.loading}
      </p>
      <Skeleton className="h-4 w-1/3" />
      <Skeleton className="h-10 w-5/6" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-11/12" />
      <Skeleton className="h-40 w-full" />
    </Page>
  );
}
