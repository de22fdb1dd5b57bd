import * as z from "zod";

/**
 * `z.strictObject` with a return type that keeps the comments above its keys in the built `.d.ts`, so that editors
 * show them. Zod's own type loses them.
 */
export function documentedObject<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape);
}

/** As `documentedObject`, for results: clients ignore unknown fields. */
export function documentedAnswer<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strip> {
  return z.object(shape);
}
