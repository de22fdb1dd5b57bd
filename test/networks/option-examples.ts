import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { Json, JsonObject } from "../../src/wire/json.ts";

/** Things that options may refer to. */
export interface Around {
  sandbox: Sandbox;
  /** URLs of files. */
  video: string;
  photo: string;
  /** The account's own id. */
  account: string;
  /** An earlier post of the account. */
  earlier: { id: string; url: string };
}

/** A value of an option, and a post that is published with it. */
export interface OptionExample {
  value?: Json | ((around: Around) => Json);
  /** Instead of a value: all options. */
  options?(around: Around): Readonly<Record<string, unknown>>;
  /** The post, as content for the network. @default the content that every post there needs */
  post?(around: Around): Readonly<Record<string, unknown>>;
  /** The other options that it needs. @default those that every post there needs */
  besides?: Readonly<Record<string, unknown>>;
  /** Credentials of an account that may use it. @default the network's first kind */
  on?(sandbox: Sandbox): JsonObject;
}

/** Examples of every option of a network, in the order of its schema. */
export type OptionExamples = Readonly<Record<string, OptionExample>>;

export const withVideo = ({ video }: Around) => ({ media: [{ url: video }] });
export const withPhoto = ({ photo }: Around) => ({ media: [{ url: photo }] });
export const asReel = ({ video }: Around) => ({ media: [{ url: video }], post_type: "reel" });

export function captionsOn({ media }: Sandbox): string {
  return media.put("captions.vtt", new TextEncoder().encode("WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n"));
}

export function documentOn({ media }: Sandbox): string {
  return media.put("slides.pdf", new TextEncoder().encode("%PDF-1.7\n%%EOF"));
}
