import { describeValue } from "../../wire/describe-value.ts";
import { withThousands } from "../../wire/with-thousands.ts";
import type { AddressOptions, ByteRange, PutOptions, UploadOptions } from "./store.ts";

/** With what a store of files adds, still a name that every file system takes (255 bytes). */
const maxKeyLength = 200;
const step = /^[a-z0-9_-](?:[a-z0-9_.-]*[a-z0-9_-])?$/;

const maxContentTypeLength = 127;
const contentTypePattern = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

/** A week, as for every signed address of S3: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html (2026-11) */
const maxSeconds = 604_800;

const maxNameLength = 200;

/** @throws TypeError when it is no key */
export function checkKey(key: unknown): void {
  if (typeof key !== "string" || key === "") throw wrong("key", "a non-empty string", key);
  if (key.length > maxKeyLength) throw wrong("key", `at most ${maxKeyLength} characters`, key);
  if (key.split("/").some((each) => !step.test(each) || each.includes(".."))) {
    throw wrong(
      "key",
      "segments of a-z, 0-9, _, . and -, separated by single slashes, without leading, trailing or double dots",
      key,
    );
  }
}

/** @throws TypeError naming what is wrong */
export function checkPut(key: unknown, { contentType, sizeBytes, remember }: PutOptions): void {
  checkKey(key);
  checkContentType(contentType);
  if (sizeBytes !== null && !isSize(sizeBytes)) throw wrong("sizeBytes", "a whole number of bytes, or null", sizeBytes);
  if (typeof remember !== "function") throw wrong("remember", "a function that accepts a handle", remember);
}

/** @throws TypeError naming what is wrong */
export function checkRead(key: unknown, range: ByteRange | undefined): void {
  checkKey(key);
  if (range === undefined) return;
  const { from, to } = range;
  if (!isSize(from)) throw wrong("from", "a whole number of bytes", from);
  if (to !== undefined && !(isSize(to) && to > from)) throw wrong("to", "a whole number of bytes beyond from", to);
}

/** @throws TypeError naming what is wrong */
export function checkAddress(key: unknown, { seconds, contentType, download }: AddressOptions): void {
  checkKey(key);
  checkSeconds(seconds);
  if (contentType !== undefined) checkContentType(contentType);
  if (download === undefined) return;
  // A lone surrogate cannot stand in an address.
  const isName = typeof download === "string" && /^[^\p{Cc}\p{Cs}]+$/u.test(download);
  if (!isName || download.length > maxNameLength) {
    throw wrong("download", `a file name of at most ${maxNameLength} characters`, download);
  }
}

/** @throws TypeError naming what is wrong */
export function checkUpload(key: unknown, { contentType, sizeBytes, seconds }: UploadOptions): void {
  checkKey(key);
  checkContentType(contentType);
  if (!isSize(sizeBytes)) throw wrong("sizeBytes", "a whole number of bytes", sizeBytes);
  checkSeconds(seconds);
}

function checkContentType(value: unknown): void {
  const isType = typeof value === "string" && value.length <= maxContentTypeLength && contentTypePattern.test(value);
  if (!isType) throw wrong("contentType", "a type such as image/png, without parameters", value);
}

function checkSeconds(value: unknown): void {
  if (!isSize(value) || value < 1 || value > maxSeconds) {
    throw wrong("seconds", `a whole number of seconds, 1 to ${withThousands(maxSeconds)}`, value);
  }
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function wrong(field: string, right: string, value: unknown): TypeError {
  return new TypeError(`${field}: Must be ${right}, not ${describeValue(value)}.`);
}
