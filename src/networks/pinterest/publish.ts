import * as z from "zod";
import { type CommitRules, type Publisher, readBackRules } from "../contract/publish.ts";
import { endpoint, permalink, pinterestId } from "./api.ts";
import { lists, lookFor, textForms } from "./look-for.ts";
import type { PinterestOptions } from "./options.ts";
import { pinBody } from "./pin.ts";
import { stage } from "./stage.ts";

/** Pinterest downloads the images before it responds. */
const rules: CommitRules = { ...readBackRules, hardEndSeconds: 60 };

/** The only required field. https://github.com/pinterest/api-description, `Pin` (2025-12) */
const createdSchema = z.object({ id: pinterestId });

export const publisher = {
  /** Pinterest has no idempotency keys, and accepts the same Pin twice. */
  rules: () => rules,
  stage,
  commit: (input) => ({ method: "POST", url: endpoint(["pins"]), body: { json: pinBody(input) } }),

  accepted({ body }) {
    const parsed = createdSchema.safeParse(body);
    return parsed.success ? { live: { id: parsed.data.id, url: permalink(parsed.data.id), ref: null } } : null;
  },

  lookFor,
  textForms,
  lists,
} satisfies Publisher<PinterestOptions>;
