import { fitMedia, type MediaTools } from "../media/fit/fit.ts";
import type { ChangeWarnings } from "../media/transform/choose.ts";
import type { MediaChange } from "../media/transform/transformer.ts";
import type { LinkPicture, PlannedLink } from "../networks/contract/plan.ts";
import type { NetworkSpec } from "../networks/contract/spec.ts";
import { type LocationHandling, locationIssues } from "./check-location.ts";
import { warning } from "./issue.ts";
import type { MediaReader } from "./media.ts";
import type { PlanIssue } from "./schema.ts";

export interface CheckedLink {
  /** With the picture of its card, where that can be sent. */
  link: PlannedLink | null;
  /** What the picture is made into; null: nothing. */
  change: MediaChange | null;
  issues: PlanIssue[];
}

interface PictureTools {
  readMedia: MediaReader["read"];
  mediaTools: MediaTools;
  changeWarnings: ChangeWarnings;
  location: LocationHandling;
}

const field = "link.image_url";

/** Looks at the picture of a link's card, where the network takes one. A card is sent without, too. */
export async function checkLinkPicture(
  link: PlannedLink | null,
  { name, link_picture: types }: NetworkSpec,
  { readMedia, mediaTools, changeWarnings, location }: PictureTools,
): Promise<CheckedLink> {
  const url = link?.image_url ?? null;
  if (link === null || url === null || types === undefined) return { link, change: null, issues: [] };
  const without = (why: string): CheckedLink => ({ link, change: null, issues: [withoutPicture(name, why)] });
  const found = await readMedia({ url, alt: null, thumbnail_url: null });
  if ("error" in found) return without(found.error.message);
  const fit = fitMedia(found, { name, media: { max_items: 1, mixing: "any", types } }, mediaTools);
  if (fit.kind === "refuse") return without(fit.message);
  const { mime_type, size_bytes, etag } = found;
  const picture: LinkPicture = { url, mime_type, size_bytes, ...(etag !== undefined && { etag }) };
  const given = { ...link, picture };
  if (fit.kind === "as_is") {
    const issues = locationIssues(found, { field, network: name, isPulled: false, location });
    return {
      link: given,
      change: null,
      issues: [...(fit.warnings ?? []).map((each) => warning(field, each)), ...issues],
    };
  }
  const losses = await changeWarnings(found, fit.change);
  const issues = losses.map((each) => warning(field, `For ${name} the card's image is converted. It ${each}.`));
  return { link: given, change: fit.change, issues };
}

function withoutPicture(name: string, why: string): PlanIssue {
  return warning(field, `On ${name} the card may have no image: ${why}`);
}
