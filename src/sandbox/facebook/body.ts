import * as z from "zod";
import type { SandboxRequest } from "../exchange.ts";
import { readAs } from "../parts/fields.ts";
import { graphRefusal } from "../parts/graph.ts";

/** Stricter than the real one, which ignores unknown fields. @throws Refusal */
export function demand<Schema extends z.ZodType>(schema: Schema, fields: unknown): z.output<Schema> {
  return readAs(schema, fields, ([{ path, message }]) =>
    graphRefusal(100, `(#100) Invalid parameter: ${path.join(".") || message}`),
  );
}

const keyed = z.array(z.strictObject({ key: z.string() })).min(1);
const places = z.strictObject({
  countries: z.array(z.string().regex(/^[A-Z]{2}$/)).optional(),
  regions: keyed.optional(),
  cities: keyed.optional(),
});

/** https://developers.facebook.com/docs/pages-api/posts (2026-09) */
export const targeting = z.strictObject({
  geo_locations: places.optional(),
  age_min: z.literal([13, 15, 18, 21, 25]).optional(),
});
export const feedTargeting = z.strictObject({ geo_locations: places });
export const button = z.strictObject({ type: z.string(), value: z.strictObject({ link: z.url() }).optional() });

/** The phase of an upload, from its body. */
export function phaseIn({ bytes }: SandboxRequest): string {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 4_000));
  return (
    /(?:^|&)upload_phase=(\w+)|name="upload_phase"\r\n(?:[^\r]+\r\n)*\r\n(\w+)/.exec(start)?.slice(1).find(Boolean) ??
    ""
  );
}
