import * as z from "zod";

/**
 * `z.strictObject`, whose type keeps the comments above its keys in the built
 * `.d.ts`: an editor shows them. Zod's own return type loses them there.
 */
export function documentedObject<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape);
}

/** As `documentedObject`, for what is given back: clients pass over fields that they do not know. */
export function documentedAnswer<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strip> {
  return z.object(shape);
}
