import { redactionOf, secretsIn } from "../../outbound/redaction.ts";
import { cleanLine } from "../../wire/clean-text.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { AccountChoice } from "../contract/browser-login.ts";
import type { OptionChoice } from "../contract/choices.ts";
import { isReadableId, readableUrl } from "./readable.ts";

/** Maximum number of accounts of a sign-in, and of values of an option. The rest is dropped. */
const maxChoices = 1_000;
const maxName = 300;

/** The accounts of a sign-in, with texts that can be stored and shown. Those without a usable id are dropped. */
export function readableAccounts(accounts: readonly AccountChoice[]): AccountChoice[] {
  return accounts
    .filter(({ id }) => isReadableId(id))
    .slice(0, maxChoices)
    .map((account) => {
      // The id may be among the credentials, but is not secret.
      const redact = redactionOf(secretsIn(account.credentials).filter((text) => text !== account.id));
      return {
        ...account,
        name: cleanLine(redact(account.name), maxName) || account.id,
        handle: cleanLine(redact(account.handle ?? ""), maxName) || null,
        avatar_url: readableUrl(account.avatar_url, redact),
      };
    });
}

/**
 * The values of an option, with texts that can be shown. Values that cannot be sent back are dropped.
 *
 * @param options.words keep only values that contain them, ignoring case; empty: keep all
 */
export function readableOptions(
  choices: readonly OptionChoice[],
  { secret, words }: { secret: JsonObject; words: string },
): OptionChoice[] {
  const redact = redactionOf(secretsIn({ secret }));
  const wanted = words.toLowerCase();
  return choices
    .filter(({ value }) => isReadableId(value) && redact(value) === value)
    .map(({ value, name }) => ({ value, name: cleanLine(redact(name), maxName) || value }))
    .filter(({ value, name }) => [value, name].some((text) => text.toLowerCase().includes(wanted)))
    .slice(0, maxChoices);
}
