import * as z from "zod";
import type { RequestUsage } from "../../contract/inbox.ts";

const percent = z.number().nonnegative().nullish();
const loadSchema = z.object({ call_count: percent, total_time: percent, total_cputime: percent });
/** Limits, by the id of the object that they apply to. */
const businessSchema = z.record(
  z.string(),
  z.array(loadSchema.extend({ estimated_time_to_regain_access: z.number().nonnegative().nullish() })),
);

/** Usage decays gradually; Meta does not say how fast. Milliseconds. */
const regainMs = 600_000;

/** When a limit ends, milliseconds. Null: the headers do not say. */
export function graphLimitEnd({ headers }: { headers: Headers }, now: number): number | null {
  const minutes = ofBusinesses(headers).map(({ estimated_time_to_regain_access: time }) => time ?? 0);
  const longest = Math.max(0, ...minutes);
  return longest === 0 ? null : now + longest * 60_000;
}

/**
 * The used share of the app's and the account's rate limits. Meta sends it in two JSON headers, in percent, once there
 * were many calls. https://developers.facebook.com/docs/graph-api/overview/rate-limiting (2026-09)
 */
export function graphUsage(headers: Headers, now: number): RequestUsage | null {
  const ofApp = loadSchema.safeParse(readJson(headers.get("x-app-usage"))).data;
  const loads = [...(ofApp === undefined ? [] : [ofApp]), ...ofBusinesses(headers)];
  if (loads.length === 0) return null;
  const percents = loads.flatMap(({ call_count, total_time, total_cputime }) => [
    call_count,
    total_time,
    total_cputime,
  ]);
  const share = Math.max(...percents.map((each) => each ?? 0)) / 100;
  return { share, until: graphLimitEnd({ headers }, now) ?? now + regainMs };
}

function ofBusinesses(headers: Headers): z.infer<typeof businessSchema>[string] {
  const parsed = businessSchema.safeParse(readJson(headers.get("x-business-use-case-usage")));
  return parsed.success ? Object.values(parsed.data).flat() : [];
}

function readJson(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
