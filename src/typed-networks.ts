import type * as z from "zod";
import type { NetworkAdapter } from "./networks/contract/adapter.ts";
import type { NetworkId } from "./networks/contract/network-id.ts";
import type { OverrideWithFiles } from "./posts/given-files.ts";
import type { CreatePost, UpdatePost } from "./posts/schema.ts";
import type { ConnectProfile } from "./profiles/schema.ts";

/** The networks that a service was created with. */
export type Networks = readonly NetworkAdapter[];

/** Networks that the types do not tell apart are checked by each call alone. */
type AreKnown<Given extends Networks> = NetworkId extends Given[number]["spec"]["network"] ? false : true;

/** What may be given for one network alone: content in place of the post's own, and the network's own options. */
type OverridesFor<Given extends Networks> = {
  [Adapter in Given[number] as Adapter["spec"]["network"]]?: OverrideWithFiles & z.input<Adapter["options"]>;
};

/** What `posts.create` takes of a service with these networks. */
export type CreatePostFor<Given extends Networks> =
  AreKnown<Given> extends true
    ? Omit<CreatePost, "networks"> & {
        /** Overrides by network. */
        networks?: OverridesFor<Given> | undefined;
      }
    : CreatePost;

/** What `posts.update` takes of a service with these networks. */
export type UpdatePostFor<Given extends Networks> =
  AreKnown<Given> extends true
    ? Omit<UpdatePost, "networks"> & {
        /** Overrides by network; they replace all previous ones. Of a partly published post: only those of networks where all targets have certainly failed; the others are kept. */
        networks?: OverridesFor<Given> | undefined;
      }
    : UpdatePost;

/** What `profiles.connect` takes of one network, for each. */
type ConnectTo<Adapter> = Adapter extends NetworkAdapter
  ? Omit<ConnectProfile, "network" | "credentials"> & {
      /** Which network. */
      network: Adapter["spec"]["network"];
      /** An app password, a token or a webhook URL: see the network's guide. */
      credentials: z.input<Adapter["connect"]["credentials"]>;
    }
  : never;

/** What `profiles.connect` takes of a service with these networks. */
export type ConnectProfileFor<Given extends Networks> =
  AreKnown<Given> extends true ? ConnectTo<Given[number]> : ConnectProfile;
