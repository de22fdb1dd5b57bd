import * as z from "zod";

/** An id of the Graph API: digits, more than a JavaScript number holds; some of its answers write it as a number. */
export const graphId = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,40}$/, "Must be an id of digits."));
