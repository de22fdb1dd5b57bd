import * as z from "zod";

/** The years are those of UTC: times are compared as texts, which a year of five digits or with a sign would break. */
export const dateTime = z.iso
  .datetime({
    offset: true,
    error: ({ input }) =>
      input instanceof Date
        ? "Call toISOString() on the Date: a time is a string."
        : "Must be a time as ISO 8601 with a zone, such as 2026-11-21T12:00:00Z.",
    abort: true,
  })
  .refine(isFourDigitYear, "Must be a time in the years 0000 to 9999, in UTC.");

function isFourDigitYear(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return year >= 0 && year <= 9999;
}
