import type { z } from "zod";
import type { NetworkContext } from "../contract/request.ts";
import { readGraphPages } from "../shared/meta/pages.ts";

/** Reads a list of Instagram's from its newest entry on. */
export function readPages<Schema extends z.ZodType>(
  context: Pick<NetworkContext, "request">,
  list: { url: string; schema: Schema; isPast?: (item: z.infer<Schema>) => boolean },
): Promise<{ items: z.infer<Schema>[]; isWhole: boolean }> {
  return readGraphPages(context, { name: "Instagram", ...list });
}
