import { bluesky } from "../../src/networks/bluesky/index.ts";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import type { SandboxPost } from "../../src/sandbox/network.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { connectBluesky, connectMastodon } from "../support/connect.ts";
import type { TestService } from "../support/service.ts";

/** The text of a message. */
export interface Written {
  text: string;
  /** The network's id of the message to which it replies. */
  reply_to?: string | undefined;
}

/** A network whose inbox is tested. */
export interface InboxNetwork {
  network: "bluesky" | "mastodon";
  adapter(): NetworkAdapter;
  /** Connects an account with the handle `name`. */
  connect(service: TestService): Promise<Profile>;
  /** How users name the connected account, and Ann, in their texts. */
  name: string;
  annsName: string;
  /** Creates Ann; returns her id for the sandbox. */
  addAnn(sandbox: Sandbox): string;
  /** Sends a message from the user with this id; returns the network's id of it. */
  write(sandbox: Sandbox, by: string, written: Written): string;
  remove(sandbox: Sandbox, id: string): void;
  /** Hides Ann's account with all her messages, or shows it again. */
  hideAnn(sandbox: Sandbox, ann: string, isHidden: boolean): void;
  /** The operation that reads messages again. */
  reread: string;
  /** Every post on the network, read without the library. */
  posts(sandbox: Sandbox): readonly SandboxPost[];
}

export const inboxNetworks: readonly InboxNetwork[] = [
  {
    network: "bluesky",
    adapter: () => bluesky({ scopes: ["publish", "inbox"] }),
    connect: (service) => connectBluesky(service),
    name: "@alice.sandbox.example",
    annsName: "@ann.sandbox.example",
    addAnn: (sandbox) => sandbox.bluesky.addAccount({ handle: "ann.sandbox.example", display_name: "Ann" }).did,
    write: (sandbox, by, written) => sandbox.bluesky.postAs(by, written),
    remove: (sandbox, id) => sandbox.bluesky.removePost(id),
    hideAnn: ({ bluesky: there }, _, isHidden) =>
      isHidden ? there.takeDown("ann.sandbox.example") : there.restore("ann.sandbox.example"),
    reread: "getPosts",
    posts: (sandbox) => sandbox.bluesky.posts(),
  },
  {
    network: "mastodon",
    adapter: () => mastodon({ scopes: ["publish", "inbox"] }),
    connect: (service) => connectMastodon(service),
    name: "@alice",
    annsName: "@ann",
    addAnn: (sandbox) => sandbox.mastodon.addAccount({ username: "ann", display_name: "Ann" }).external_id,
    write: (sandbox, by, written) => sandbox.mastodon.postAs(by, written),
    remove: (sandbox, id) => sandbox.mastodon.removePost(id),
    hideAnn: ({ mastodon: there }, ann, isHidden) => (isHidden ? there.suspend(ann) : there.unsuspend(ann)),
    reread: "GET /api/v1/statuses",
    posts: (sandbox) => sandbox.mastodon.posts(),
  },
];
