import * as en from "@/lib/i18n/en";
import { FormSkeleton } from "../../../_parts/form-skeleton";

export default function Loading() {
  return <FormSkeleton title={en.composer.title} back="/topics" />;
}
