import type { PlanInput } from "../networks/contract/plan.ts";
import type { NetworkSpec, Variant } from "../networks/contract/spec.ts";

/** The spec for one post: the first variant that matches overrides it. */
export function specFor(spec: NetworkSpec, input: Pick<PlanInput, "post_type" | "media">): NetworkSpec {
  const variant = spec.variants?.find(({ when }) => fits(when, input));
  if (variant === undefined) return spec;
  const { text, media, title = spec.title, link_card = spec.link_card } = variant;
  return { ...spec, text: { ...spec.text, ...text }, media: { ...spec.media, ...media }, title, link_card };
}

function fits(when: Variant["when"], { post_type, media }: Pick<PlanInput, "post_type" | "media">): boolean {
  if (when.post_type !== undefined && when.post_type !== post_type) return false;
  if (media.length < (when.min_items ?? 0)) return false;
  if (when.media === undefined) return true;
  if (when.media === "none") return media.length === 0;
  return media.length > 0 && media.every(({ type }) => type === when.media);
}
