import type * as z from "zod";
import type { NetworkAdapter } from "./networks/contract/adapter.ts";
import type { NetworkId } from "./networks/contract/network-id.ts";
import type { OverrideWithFiles } from "./posts/given-files.ts";
import type { CreatePost, UpdatePost } from "./posts/schema.ts";
import type { ConnectProfile } from "./profiles/schema.ts";

/** The networks that a service was created with. */
export type Networks = readonly NetworkAdapter[];

/** False: the types do not tell the networks apart, so each call checks them at run time only. */
type AreKnown<Given extends Networks> = NetworkId extends Given[number]["spec"]["network"] ? false : true;

/** Overrides for one network: content instead of the post's, and the network's options. */
type OverridesFor<Given extends Networks> = {
  [Adapter in Given[number] as Adapter["spec"]["network"]]?: OverrideWithFiles & z.input<Adapter["options"]>;
};

/** The argument of `posts.create` for these networks. */
export type CreatePostFor<Given extends Networks> =
  AreKnown<Given> extends true
    ? Omit<CreatePost, "networks"> & {
        /** Overrides by network. */
        networks?: OverridesFor<Given> | undefined;
      }
    : CreatePost;

/** The argument of `posts.update` for these networks. */
export type UpdatePostFor<Given extends Networks> =
  AreKnown<Given> extends true
    ? Omit<UpdatePost, "networks"> & {
        /** Overrides by network; they replace all previous ones. Of a partly published post: only those of networks where all targets have certainly failed; the others are kept. */
        networks?: OverridesFor<Given> | undefined;
      }
    : UpdatePost;

/** The argument of `profiles.connect` for one network. */
type ConnectTo<Adapter> = Adapter extends NetworkAdapter
  ? Omit<ConnectProfile, "network" | "credentials"> & {
      /** The network. */
      network: Adapter["spec"]["network"];
      /** An app password, a token or a webhook URL: see the network's guide. */
      credentials: z.input<Adapter["connect"]["credentials"]>;
    }
  : never;

/** The argument of `profiles.connect` for these networks. */
export type ConnectProfileFor<Given extends Networks> =
  AreKnown<Given> extends true ? ConnectTo<Given[number]> : ConnectProfile;
