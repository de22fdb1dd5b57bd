import type { LocationLeft, MediaDetails } from "../networks/contract/plan.ts";
import { withRemedy } from "../wire/remedy.ts";
import type { PlanIssue } from "./schema.ts";

/** How a service handles location data in files. */
export interface LocationHandling {
  /** True: location data is sent with the files. */
  isKept: boolean;
  /** True: a network that downloads files does so from the caller's URL, so no data is removed. */
  isPulledAsGiven: boolean;
}

const messages: Readonly<Record<LocationLeft, string>> = {
  timed_track:
    "The file has a track that may contain the camera's location; it is not removed. Export the video without that track.",
  hidden_video:
    "The file has an embedded video that may contain the location; it is not removed. Export the image alone.",
  compressed_text:
    "The file has compressed metadata that may contain the location; it is not removed. Save the image without metadata.",
  out_of_reach:
    "Parts of the file could not be searched for a location; they are sent unchanged. Save it without metadata to be sure.",
};

/** Warns of location data that reaches the network although it should be removed. */
export function locationIssues(
  { has_location, location_left = [] }: MediaDetails,
  {
    field,
    network,
    isPulled,
    location,
  }: { field: string; network: string; isPulled: boolean; location: LocationHandling },
): PlanIssue[] {
  if (location.isKept) return [];
  const left = location_left.map((reason) => messages[reason]);
  const isGiven = isPulled && location.isPulledAsGiven && has_location === true;
  const given = withRemedy(
    `The file contains its location, which is not removed: ${network} fetches the file from your URL. Export it without the location.`,
    "With createSocialService's mediaStore set, the service removes it.",
  );
  return [...(isGiven ? [given] : []), ...left].map((message) => ({
    severity: "warning",
    code: "media_error",
    field,
    message,
  }));
}
