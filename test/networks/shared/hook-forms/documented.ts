import type { HookForm } from "../../../../src/networks/contract/hooks.ts";
import { eventsub } from "../../../../src/networks/shared/hook-forms/eventsub.ts";
import { linkedin } from "../../../../src/networks/shared/hook-forms/linkedin.ts";
import { meta } from "../../../../src/networks/shared/hook-forms/meta.ts";
import { rsa } from "../../../../src/networks/shared/hook-forms/rsa.ts";
import { standardWebhooks } from "../../../../src/networks/shared/hook-forms/standard-webhooks.ts";
import { x } from "../../../../src/networks/shared/hook-forms/x.ts";

/** A webhook that others have written, or that OpenSSL has signed on the command line. */
export interface DocumentedHook {
  name: string;
  form: HookForm;
  key: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** When it arrived. */
  at: string;
}

/** The example of https://developers.facebook.com/docs/graph-api/webhooks/getting-started (2026-09), which gives no secret and no signature: both by OpenSSL. */
const metaExample: DocumentedHook = {
  name: "Meta's example, signed by OpenSSL",
  form: meta,
  key: "app-secret",
  headers: { "x-hub-signature-256": "sha256=1614b576a7b10f03e36351999d13e9da346354fcf44c88035546479d46353e6f" },
  body: '{"entry":[{"time":1520383571,"changes":[{"field":"photos","value":{"verb":"update","object_id":"10211885744794461"}}],"id":"10210299214172187","uid":"10210299214172187"}],"object":"user"}',
  at: "2018-03-07T00:46:11Z",
};

/** The page says that `äöå` is signed as it is sent, in lower-case escapes. Signed by OpenSSL. */
const metaEscapes: DocumentedHook = {
  ...metaExample,
  name: "Meta's escaped characters, signed by OpenSSL",
  headers: { "x-hub-signature-256": "sha256=14ba4e93a21d9bcc65a70ddac0e4569d859de706b7a871edba8c424e42d521c0" },
  body: '{"object":"page","entry":[{"id":"1","time":1,"messaging":[{"message":{"text":"\\u00e4\\u00f6\\u00e5"}}]}]}',
};

/** The test vector of https://github.com/twitch4j/twitch4j (`EventSubVerifierTest`, 2026-09); Twitch's own page shortens its signature. */
const twitch4j: DocumentedHook = {
  name: "Twitch4J's test vector",
  form: eventsub,
  key: "Twitch4J",
  headers: {
    "twitch-eventsub-message-id": "7d4c39a4-10b3-4166-b1fb-56130d1f693b",
    "twitch-eventsub-message-timestamp": "2020-12-13T14:15:16.1718Z",
    "twitch-eventsub-message-signature": "sha256=2ac8d26bf60837663d8969f3cb4f22f685c8fa0a4b99d533c8bf622ed4596cc6",
  },
  body: '{"hello":"world"}',
  at: "2020-12-13T14:15:17Z",
};

/** The secret is that of `documentedCrc`; X documents no signed event: signed by OpenSSL. */
const xEvent: DocumentedHook = {
  name: "an event of X's form, signed by OpenSSL",
  form: x,
  key: "z3ZX4v7mAAUGykl3EcmkqbartmuW8VFOOzCloLx9Q45P0hLrFu",
  headers: { "x-twitter-webhooks-signature": "sha256=Tjepv4Ww3UNE828GHzLfeLb+BysyZ/FlOn4dGPJF7AM=" },
  body: '{"data":{"event_type":"post.mention.create","filter":{"user_id":"2244994945"}}}',
  at: "2026-09-01T00:00:00Z",
};

/** By https://learn.microsoft.com/en-us/linkedin/shared/api-guide/webhook-validation (2026-09), which signs no example: signed by OpenSSL. */
const linkedinEvent: DocumentedHook = {
  name: "an event of LinkedIn's form, signed by OpenSSL",
  form: linkedin,
  key: "client-secret",
  headers: { "x-li-signature": "8ed6c4c50290974bd5be6e6fd38736a04833d5a48d8d345b443dc6a3e0851e7d" },
  body: '{"type":"ORGANIZATION_SOCIAL_ACTION_NOTIFICATIONS","notifications":[{"notificationId":1,"action":"COMMENT"}]}',
  at: "2026-09-01T00:00:00Z",
};

/** Kick's own public key, of https://docs.kick.com/events/webhook-security (2026-09). */
export const kickPublicKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAq/+l1WnlRrGSolDMA+A8
6rAhMbQGmQ2SapVcGM3zq8ANXjnhDWocMqfWcTd95btDydITa10kDvHzw9WQOqp2
MZI7ZyrfzJuz5nhTPCiJwTwnEtWft7nV14BYRDHvlfqPUaZ+1KR4OCaO/wWIk/rQ
L/TjY0M70gse8rlBkbo2a8rKhu69RQTRsoaf4DVhDPEeSeI5jVrRDGAMGL3cGuyY
6CLKGdjVEM78g3JfYOvDU/RvfqD7L89TZ3iN94jrmWdGz34JNlEI5hqK8dd7C5EF
BEbZ5jgB8s8ReQV8H+MkuffjdAj3ajDDX3DOJMIut1lBrUVD1AaSrGCKHooWoL2e
twIDAQAB
-----END PUBLIC KEY-----`;

/** The body is from https://docs.kick.com/events/event-types (2026-09). Only Kick has its private key: signed by OpenSSL with another one. */
const kickEvent: DocumentedHook = {
  name: "an event of Kick's form, signed by OpenSSL",
  form: rsa,
  key: `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvcWSxwXVrgP541x3jMwP
aIJ2hw6e1QWBg9yB7xG+0inducyldMou+uKb1gJKrhvwSFzmy/MGanx3YgJWsfew
fljNSWLyHhK2eemEkz6Stg+zKq5l3OMu5wEuA2DiiYFrmQCNk+kD09iRbDtInCfP
vd3EZqmdD+PQTvA9jeSMAIfB07jERPxCDzrB8vAEj248ina7XKRYPh/AZp7d3FtT
6RSVEQRnB2OOh58U3myQFUsNicaArFGuxvB/Rg/Fza65GT10NnKmOpQ1QDDocH34
wOw9Jdzf+PD75hoTFZ06yCS7d2DJwXTxLLvLe/EPTNW1X5Lpf7G/5V7msyv1OHu7
CwIDAQAB
-----END PUBLIC KEY-----
`,
  headers: {
    "kick-event-message-id": "01KBHE78QE4HZY1617DK5FC7YD",
    "kick-event-message-timestamp": "2025-01-14T16:08:06Z",
    "kick-event-signature":
      "MG9DdXjxCW5CaJO72eI73C4e94npvkkDjisDorUBotv2ShZeItP2UxLxI+JLmkaHpnCDwyRtyPUfJElC6b8S3adyWKjZ32rzev/Ty2ngMJAjRm2RHEOHYnLDiW4uubG66d22+9TCS7caMLORl+wltsVqGm+hNdB4iMMD2odzhjWd3RIUMAttdkLhl+yIwOXdjtQj8R2mZt9O4b1xcpSw+MBT4lesYO7va7ZxsLaTtk4PI/AyWWRCEQ867tOYOmwUXMEVXr/t5L6k6AgsDoYpJpW9tQjZeoVjBog9G1AsZDET4BzBlhHGBuXlSmsnqSmaIzVj/1EwNbs7EurXMiBybg==",
  },
  body: '{"message_id":"unique_message_id_123","content":"Hello","created_at":"2025-01-14T16:08:06Z"}',
  at: "2025-01-14T16:08:07Z",
};

/** Id, time and body of the standard's own test vector (https://github.com/standard-webhooks/standard-webhooks, 2026-09). The key is a text, as Whop's: signed by OpenSSL. */
const whopEvent: DocumentedHook = {
  name: "an event of Whop's form, signed by OpenSSL",
  form: standardWebhooks,
  key: "ws_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  headers: {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,JpDNRxLy3ZIQhlogldHtls086NY6hM2zYowb+slPGgY=",
  },
  body: '{"test": 2432232314}',
  at: "2021-02-25T15:02:11Z",
};

export const documentedHooks = [
  metaExample,
  metaEscapes,
  twitch4j,
  xEvent,
  linkedinEvent,
  kickEvent,
  whopEvent,
] as const;

/**
 * Secret and token of the sample that X's page links to, https://gist.github.com/jcipriano/373d4d441e8041f775b6227c0e2fd1f3
 * (2026-09). What it prints was also computed by OpenSSL.
 */
export const documentedCrc = {
  secret: "z3ZX4v7mAAUGykl3EcmkqbartmuW8VFOOzCloLx9Q45P0hLrFu",
  crc_token: "9b4507b3-9040-4669-9ca3-6b94edb50553",
  response_token: "sha256=Cytd4Sq+NvEcV3MMrXxWJGJx5A+y/lXzzU2Maartkx8=",
};

/**
 * The code is that of https://learn.microsoft.com/en-us/linkedin/shared/api-guide/webhook-validation (2026-09), which
 * does not tell the secret of its response: this one is by OpenSSL.
 */
export const documentedChallenge = {
  secret: "client-secret",
  challengeCode: "890e4665-4dfe-4ab1-b689-ed553bceeed0",
  challengeResponse: "8ab4bbad570533d66462deba280bde93c1cad8b543e7f526d3e962acaf6c391a",
};
