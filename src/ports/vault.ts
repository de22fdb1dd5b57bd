import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import { SocialError } from "../wire/errors.ts";
import type { JsonObject } from "../wire/json.ts";
import { withRemedy } from "../wire/remedy.ts";
import type { Ids } from "./ids.ts";

/** The place that an encrypted value belongs to. It cannot be decrypted for another one. */
export interface SealedPlace {
  account: string;
  collection: string;
  id: string;
  field: string;
}

/** Encrypts credentials at rest. */
export interface Vault {
  seal(value: JsonObject, place: SealedPlace): string;
  /** @throws SocialError `internal_error` if the value was moved or changed, or its key is not in the keyring */
  open(sealed: string, place: SealedPlace): JsonObject;
  /** Why `open` would fail for lack of the key, and the remedy; null: the key is present. */
  lackFor(sealed: string): string | null;
}

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** Set for both directions: without it a tag may be truncated to 4 bytes, which can be guessed. */
const tagLength = { authTagLength: tagBytes };

/**
 * AES-256-GCM with the value's place as associated data, written as `v1.<key id>.<nonce>.<ciphertext and tag>`.
 *
 * @param keys 32 bytes each, base64; the first encrypts, all decrypt
 */
export function createVault(keys: readonly string[], ids: Ids): Vault {
  const keyring = new Map<string, Uint8Array>();
  for (const key of keys) {
    const bytes = readKey(key);
    keyring.set(keyId(bytes), bytes);
  }
  const [current] = keyring;
  if (current === undefined) throw missingKey();
  const [currentId, currentKey] = current;

  function lackFor(sealed: string): string | null {
    const [version, id = ""] = sealed.split(".", 2);
    if (version === "v1" && keyring.has(id)) return null;
    const known = [...keyring.keys()].join(", ");
    return withRemedy(
      "Stored credentials were encrypted with a key that this service does not have.",
      `The key ${id} is not in encryptionKey (${known}). Append the old key after the new one: encryptionKey: [newKey, oldKey].`,
    );
  }

  return {
    lackFor,
    seal(value, place) {
      const nonce = ids.bytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", currentKey, nonce, tagLength);
      cipher.setAAD(placeBytes(place));
      const sealed = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `v1.${currentId}.${Buffer.from(nonce).toString("base64url")}.${sealed.toString("base64url")}`;
    },
    open(sealed, place) {
      const [, id = "", nonce = "", content = ""] = sealed.split(".");
      const key = keyring.get(id);
      const lack = lackFor(sealed);
      if (lack !== null || key === undefined) throw new SocialError("internal_error", String(lack));
      const bytes = Buffer.from(content, "base64url");
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64url"), tagLength);
        decipher.setAAD(placeBytes(place));
        decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
        const text =
          decipher.update(bytes.subarray(0, bytes.length - tagBytes), undefined, "utf8") + decipher.final("utf8");
        return JSON.parse(text) as JsonObject;
      } catch (error) {
        throw new SocialError(
          "internal_error",
          "Stored credentials do not open: they were changed, or moved from another row.",
          {
            cause: error,
          },
        );
      }
    },
  };
}

const howToMake = `Generate one with: node -e "console.log(require('node:crypto').randomBytes(${keyBytes}).toString('base64'))"`;

/** The error for a persistent store without a key. */
export function missingKey(): SocialError {
  return new SocialError(
    "invalid_options",
    `encryptionKey is missing: credentials are never stored unencrypted. ${howToMake}`,
  );
}

/** A key that is lost when the process exits. */
export function throwAwayKey(ids: Ids): string {
  return Buffer.from(ids.bytes(keyBytes)).toString("base64");
}

function readKey(key: string): Uint8Array {
  const bytes = Buffer.from(key, "base64");
  if (key.trim() === "") {
    throw new SocialError(
      "invalid_options",
      `encryptionKey is empty: the environment variable that holds it seems to be unset or empty. ${howToMake}`,
    );
  }
  if (bytes.length !== keyBytes) {
    throw new SocialError(
      "invalid_options",
      `encryptionKey must be ${keyBytes} bytes in base64 (44 characters); this one has ${bytes.length} bytes.`,
    );
  }
  return bytes;
}

/** The id of a key, which reveals nothing about it. */
function keyId(key: Uint8Array): string {
  return createHash("sha256").update("postrider key id").update(key).digest("hex").slice(0, 8);
}

function placeBytes(place: SealedPlace): Uint8Array {
  return new TextEncoder().encode(JSON.stringify([place.account, place.collection, place.id, place.field]));
}
