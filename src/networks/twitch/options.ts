import * as z from "zod";

/** Nothing is published here. */
export const options = z.strictObject({});
