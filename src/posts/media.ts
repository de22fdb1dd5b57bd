import { PublishingError } from "../errors.ts";
import type { MediaFacts } from "../media/probe.ts";
import type { PlannedMedia } from "../networks/adapter.ts";

/** A file that a post names. */
export interface MediaRequest {
  url: string;
  alt: string | null;
  thumbnail_url: string | null;
}

export type MediaResult = PlannedMedia | { error: PublishingError };

/** Finds out what lies at an address. @throws PublishingError `media_error` */
export type InspectMedia = (url: string) => Promise<MediaFacts & { size_bytes: number | null }>;

/** Files looked at side by side. */
const inspectionsAtOnce = 4;

/** Looks at every file once, however often it is named. */
export function createMediaReader(inspect: InspectMedia): (request: MediaRequest) => Promise<MediaResult> {
  const seen = new Map<string, ReturnType<InspectMedia>>();
  const limited = limit(inspectionsAtOnce);
  return async (request) => {
    let inspection = seen.get(request.url);
    if (inspection === undefined) {
      inspection = limited(() => inspect(request.url));
      seen.set(request.url, inspection);
    }
    try {
      const { type, mime_type, size_bytes, width, height, duration_seconds } = await inspection;
      return { ...request, type, mime_type, size_bytes, width, height, duration_seconds };
    } catch (error) {
      if (PublishingError.is(error)) return { error };
      throw error;
    }
  };
}

function limit(most: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    while (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}
