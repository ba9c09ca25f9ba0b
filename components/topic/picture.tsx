import { cx } from "@/components/ui/cx";
import type { Topic } from "@/lib/contract";

const sizes = { md: "size-10 text-lg", lg: "size-16 text-2xl" } as const;

export interface TopicPictureProps {
  readonly topic: Pick<Topic, "image" | "category">;
  readonly size?: keyof typeof sizes;
}

/** A topic's picture, else the sign of its category. Its name always stands beside it. */
export function TopicPicture({ topic, size = "md" }: TopicPictureProps) {
  const shape = cx(
    "mt-0.5 inline-flex shrink-0 items-center justify-center rounded-full bg-wash",
    sizes[size],
  );
  if (!topic.image) {
    return (
      <span aria-hidden="true" className={shape}>
        {topic.category?.icon ?? "·"}
      </span>
    );
  }
  return (
    // biome-ignore lint/performance/noImgElement: next/image writes inline styles, which the CSP refuses
    <img src={topic.image} alt="" loading="lazy" className={cx(shape, "border object-cover")} />
  );
}
