import { SocialError } from "../../src/wire/errors.ts";

/** The SocialError that `work` fails with. */
export async function failureOf(work: Promise<unknown>): Promise<SocialError> {
  try {
    await work;
  } catch (error) {
    if (SocialError.is(error)) return error;
    throw error;
  }
  throw new Error("It did not fail.");
}
