import type { IdentifiedPart, PublishedPart } from "../../src/networks/contract/plan.ts";

/** The part, of which the network is sure to have told the id. */
export function identified<SomePart extends PublishedPart>(part: SomePart): SomePart & IdentifiedPart {
  const { id } = part;
  if (id === null) throw new Error("The network told no id.");
  return { ...part, id };
}
