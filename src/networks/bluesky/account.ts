import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";

/** https://docs.bsky.app/docs/api/com-atproto-server-get-session (2026-08) */
export const accountSchema = z.object({
  did: z.string(),
  handle: z.string(),
  active: z.boolean().nullish(),
  status: z.string().nullish(),
});

export function assertActive(account: z.infer<typeof accountSchema>): void {
  if (account.active === false)
    throw new PublishingError("profile_unavailable", `This Bluesky account is ${account.status ?? "not active"}.`);
}
