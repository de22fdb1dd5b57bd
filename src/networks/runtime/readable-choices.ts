import { redactionOf, secretsIn } from "../../outbound/redaction.ts";
import { cleanLine } from "../../wire/clean-text.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { AccountChoice } from "../contract/browser-login.ts";
import type { OptionChoice } from "../contract/choices.ts";
import { isReadableId, readableUrl } from "./readable.ts";

/** Of a login that reaches more accounts, or an option with more values, the rest is left out. */
const maxChoices = 1_000;
const maxName = 300;

/** What a login reaches, in texts that can be stored and shown; what has no usable id is left out. */
export function readableAccounts(accounts: readonly AccountChoice[]): AccountChoice[] {
  return accounts
    .filter(({ id }) => isReadableId(id))
    .slice(0, maxChoices)
    .map((account) => {
      // Its id may stand beside a login's secrets, and is none.
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
 * What an option may be, in texts that can be shown; a value that cannot be sent back is left out.
 *
 * @param options.words only what shows them, in any case; empty: everything
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
