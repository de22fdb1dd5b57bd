/**
 * Writes `src/signature/vectors.json`: fixed cases of the signature, made with
 * Node's own HMAC and none of our code. `npx tsx test/signature/make-vectors.ts`
 */
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { Vector } from "./vector.ts";

const secret = "whsec_4f1d7a90c2b36e58a1d4f7092b5c8e3161a4d7f0a3c6e9b2d5f8a1c4e7b0d3f6";
const other = "whsec_0000000000000000000000000000000000000000000000000000000000000000";
const t = 1_795_262_400;
const event = '{"id":"dlv_1","type":"post.published","created_at":"2026-11-21T12:00:00.000Z","data":{"post":{}}}';

function hex(key: string, timestamp: number | string, body: string | Uint8Array): string {
  return createHmac("sha256", key).update(`${timestamp}.`).update(body).digest("hex");
}

function header(body: string | Uint8Array = event, key = secret, timestamp: number | string = t): string {
  return `t=${timestamp},v1=${hex(key, timestamp, body)}`;
}

const vectors: Vector[] = [];
function add(name: string, valid: boolean, given: Partial<Vector> = {}): void {
  vectors.push({ name, secret, body: event, header: header(), now: t, ...given, valid });
}
function addBody(name: string, body: string, valid = true): void {
  add(name, valid, { body, header: header(body) });
}
function addBytes(name: string, bytes: Uint8Array, valid: boolean): void {
  add(name, valid, { body: { base64: Buffer.from(bytes).toString("base64") }, header: header(bytes) });
}

const good = hex(secret, t, event);
const flip = (text: string, index: number): string =>
  text.slice(0, index) + (text[index] === "0" ? "1" : "0") + text.slice(index + 1);

add("signed now", true);
add("signed with another secret", false, { header: header(event, other) });
add("signed with an empty secret", false, { header: header(event, "") });
add("the second of two secrets", true, { secret: [other, secret] });
add("the first of two secrets", true, { secret: [secret, other] });
add("none of two secrets", false, { secret: [other, `${secret}x`] });
add("no secret at all", false, { secret: [] });
add("an empty secret, for which anybody can sign", false, { secret: "", header: header(event, "") });
add("an empty secret beside one that fits", false, { secret: ["", secret] });
add("two signatures, the first fits", true, { header: `t=${t},v1=${good},v1=${hex(other, t, event)}` });
add("two signatures, the second fits", true, { header: `t=${t},v1=${hex(other, t, event)},v1=${good}` });
add("two signatures, none fits", false, { header: `t=${t},v1=${hex(other, t, event)},v1=${flip(good, 0)}` });
for (const age of [0, 1, 299, 300]) add(`${age} s old`, true, { now: t + age });
for (const age of [301, 86_400, 1_000_000_000]) add(`${age} s old`, false, { now: t + age });
for (const ahead of [1, 300]) add(`${ahead} s in the future`, true, { now: t - ahead });
for (const ahead of [301, 86_400]) add(`${ahead} s in the future`, false, { now: t - ahead });
add("10 s old, tolerance 10 s", true, { now: t + 10, tolerance_seconds: 10 });
add("11 s old, tolerance 10 s", false, { now: t + 11, tolerance_seconds: 10 });
add("signed now, tolerance 0", true, { tolerance_seconds: 0 });
add("1 s old, tolerance 0", false, { now: t + 1, tolerance_seconds: 0 });
add("the timestamp changed", false, { header: `t=${t + 1},v1=${good}` });
add("the body changed", false, { body: event.replace("published", "failed") });
add("a space added to the body", false, { body: `${event} ` });
add("the body written again", false, { body: JSON.stringify(JSON.parse(event), null, 2) });
for (const index of [0, 31, 63]) add(`digit ${index} changed`, false, { header: `t=${t},v1=${flip(good, index)}` });
add("a malformed v1 besides", false, { header: `t=${t},v1=${good},v1=00` });
add("upper-case hex", false, { header: `t=${t},v1=${good.toUpperCase()}` });
add("63 digits", false, { header: `t=${t},v1=${good.slice(0, 63)}` });
add("65 digits", false, { header: `t=${t},v1=${good}0` });
add("no digits", false, { header: `t=${t},v1=` });
add("base64 instead of hex", false, { header: `t=${t},v1=${Buffer.from(good, "hex").toString("base64")}` });
add("no v1", false, { header: `t=${t}` });
add("no t", false, { header: `v1=${good}` });
add("v0 only", false, { header: `t=${t},v0=${good}` });
add("v0 besides", true, { header: `t=${t},v0=${hex(other, t, event)},v1=${good}` });
add("an unknown entry besides", true, { header: `t=${t},x=y,v1=${good}` });
add("t behind v1", true, { header: `v1=${good},t=${t}` });
add("a space behind the comma", false, { header: `t=${t}, v1=${good}` });
add("a space before t", false, { header: ` t=${t},v1=${good}` });
add("a space behind the digits", false, { header: `t=${t},v1=${good} ` });
add("a line break behind the digits", false, { header: `t=${t},v1=${good}\n` });
add("t twice, the same", false, { header: `t=${t},t=${t},v1=${good}` });
add("t twice, the first old", false, { header: `t=1,t=${t},v1=${good}` });
for (const bad of ["", "now", `${t}abc`, `${t}.5`, `-${t}`, `+${t}`, `0x${t.toString(16)}`, "1e9", "9".repeat(13)]) {
  add(`t is "${bad}"`, false, { header: header(event, secret, bad) });
}
add("t without a sign", false, { header: `t=${t},t,v1=${good}` });
add("t with a leading zero", false, { header: `t=0${t},v1=${good}` });
add("v1 without a sign", false, { header: `t=${t},v1,v1=${good}` });
add("v1 with two signs", false, { header: `t=${t},v1=${good}=x` });
add("an empty header", false, { header: "" });
add("no header", false, { header: null });
add("commas only", false, { header: ",,,," });
add("a header of 4,096 characters", true, { header: `${header()},${"x".repeat(4_095 - header().length)}` });
add("a header of 4,097 characters", false, { header: `${header()},${"x".repeat(4_096 - header().length)}` });
addBody("an empty object", "{}");
addBody("an empty body", "", false);
addBody("a body that is no JSON", "hello", false);
addBody("a body that is no object", '"hello"', false);
addBody("umlauts, emoji and a family", '{"text":"Grüße 🎉 👨‍👩‍👧‍👦 שלום"}');
addBody("escapes and a slash", '{"text":"a\\/b\\u00e9\\n"}');
addBody("a line separator", '{"text":"a\u2028b"}');
addBody("spaces around the object", '  { "a" : 1 }\n');
addBytes("umlauts as bytes", Buffer.from('{"text":"Grüße 🎉"}'), true);
addBytes("a byte order mark", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(event)]), true);
addBytes("invalid UTF-8", Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]), false);
addBytes("a NUL byte", Buffer.from('{"a":"\0"}'), false);
add("a secret with umlauts", true, { secret: "geheim-üß", header: header(event, "geheim-üß") });
add("a secret of 200 characters", true, { secret: "s".repeat(200), header: header(event, "s".repeat(200)) });

writeFileSync(new URL("../../src/signature/vectors.json", import.meta.url), `${JSON.stringify(vectors, null, 2)}\n`);
console.log(`${vectors.length} vectors`);
