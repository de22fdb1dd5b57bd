export type { NetworkId } from "../networks/contract/network-id.ts";
export type { Clock } from "../ports/clock.ts";
export type { Json, JsonObject } from "../wire/json.ts";
export type { NewAccount as NewBlueskyAccount } from "./bluesky/accounts.ts";
export type { AllowedClient as AllowedBlueskyClient } from "./bluesky/allowed.ts";
export type { SandboxChat as BlueskyChat, StoredChatMessage as BlueskyChatMessage } from "./bluesky/chat.ts";
export type { Reached as ReachedBlueskyClient } from "./bluesky/clients.ts";
export type { HandPosts as BlueskyHandPosts, PostByHand as BlueskyPostByHand } from "./bluesky/hand-posts.ts";
export type { BlueskySandbox } from "./bluesky/network.ts";
export type { BlueskyPeople } from "./bluesky/people.ts";
export type { DiscordSandbox } from "./discord/network.ts";
export type { ChannelKind as DiscordChannelKind, SandboxPermission as DiscordPermission } from "./discord/state.ts";
export type { SandboxAnswer, SandboxRequest } from "./exchange.ts";
export type { AudienceSwitches as FacebookAudienceSwitches, Edge as FacebookMentionEdge } from "./facebook/audience.ts";
export type { HookSwitches as FacebookHookSwitches } from "./facebook/hooks.ts";
export type {
  Besides as FacebookMessageBesides,
  StoredMessage as StoredFacebookMessage,
} from "./facebook/messenger.ts";
export type { FacebookSandbox } from "./facebook/network.ts";
export type { NewPage as NewFacebookPage } from "./facebook/pages.ts";
export type { FacebookPeople } from "./facebook/people.ts";
export type { ListWays as FacebookListWays, NewPost as NewFacebookPost } from "./facebook/posts.ts";
export type {
  Edge as FacebookVideoEdge,
  FacebookPost,
  Photo as StoredFacebookPhoto,
  StoredComment as StoredFacebookComment,
  StoredPost as StoredFacebookPost,
  Video as StoredFacebookVideo,
} from "./facebook/state.ts";
export type { VideoSwitches as FacebookVideoSwitches } from "./facebook/videos.ts";
export { createFaults, type Fault, type FaultKind, type Faults } from "./faults.ts";
export type {
  AddedPerson as AddedGooglePerson,
  GoogleBusinessSandbox,
  NewPerson as NewGooglePerson,
} from "./google_business/network.ts";
export type { Ways as GoogleBusinessWays } from "./google_business/state.ts";
export type { HookWays, InboxScene, SceneHooks, SceneOwner, ScenePerson } from "./inbox-scene.ts";
export type { Login as InstagramLogin, NewAccount as NewInstagramAccount } from "./instagram/accounts.ts";
export type { ListWays as InstagramListWays, PostByHand as InstagramPostByHand } from "./instagram/media.ts";
export type { InstagramSandbox } from "./instagram/network.ts";
export type { InstagramPost, StoredComment as StoredInstagramComment } from "./instagram/posts.ts";
export type { Product as LinkedinProduct } from "./linkedin/logins.ts";
export type { LinkedinSandbox, LinkedinTokens, NewLinkedinMember } from "./linkedin/network.ts";
export type { Role as LinkedinRole, StoredPost as StoredLinkedinPost } from "./linkedin/state.ts";
export type { NewAccount as NewMastodonAccount } from "./mastodon/accounts.ts";
export type { Poll as MastodonPoll } from "./mastodon/entities.ts";
export type { MentionFlood as MastodonMentionFlood } from "./mastodon/flood.ts";
export type { HandleDomain, NewInstance as NewMastodonInstance } from "./mastodon/instances.ts";
export type { NewFile as NewMastodonFile } from "./mastodon/media.ts";
export type { MastodonSandbox } from "./mastodon/network.ts";
export type { MastodonPeople } from "./mastodon/people.ts";
export type { MastodonFile, MastodonPost } from "./mastodon/posts.ts";
export type { PostByHand as MastodonPostByHand } from "./mastodon/statuses.ts";
export type {
  InstanceWays,
  PostOption as MastodonPostOption,
  Visibility as MastodonVisibility,
} from "./mastodon/ways.ts";
export type { MediaHost } from "./media-host.ts";
export type { SandboxHost, SandboxNetwork, SandboxPorts, SandboxPost } from "./network.ts";
export type { SimulatedNetworks } from "./networks.ts";
export type { Job as SandboxJob } from "./parts/jobs.ts";
export type { LoginApp as SandboxLoginApp } from "./parts/login-pages.ts";
export type { IssuedTokens as SandboxTokens } from "./parts/login-tokens.ts";
export type { NewBoard as NewPinterestBoard } from "./pinterest/boards.ts";
export type { NewPinterestAccount, PinterestSandbox } from "./pinterest/network.ts";
export type {
  ListWays as PinterestListWays,
  Pin as PinterestPin,
  PinByHand as PinterestPinByHand,
} from "./pinterest/pins.ts";
export type { ReceivedDelivery, ReceiverSandbox } from "./receivers.ts";
export { createSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";
export { remoteSandbox, type ServedSandbox, serveSandbox } from "./serve.ts";
export type { NewThreadsAccount } from "./threads/accounts.ts";
export type { ListWays as ThreadsListWays, PostByHand as ThreadsPostByHand } from "./threads/media.ts";
export type { ThreadsSandbox } from "./threads/network.ts";
export type { ThreadsPost } from "./threads/posts.ts";
export type { PullFailure as ThreadsPullFailure } from "./threads/pull.ts";
export type {
  AddedAccount as AddedTiktokAccount,
  NewAccount as NewTiktokAccount,
  TiktokSandbox,
} from "./tiktok/network.ts";
export type { Account as StoredTiktokAccount, Ways as TiktokWays } from "./tiktok/state.ts";
export type { EventSubWays as TwitchEventSubWays } from "./twitch/eventsub.ts";
export type { TwitchSandbox } from "./twitch/network.ts";
export type { TwitchPeople } from "./twitch/people.ts";
export type { TwitchLine, TwitchWays, TwitchWhisper } from "./twitch/state.ts";
export type { NewXAccount, XSandbox, XTokens } from "./x/network.ts";
export type {
  Account as StoredXAccount,
  Medium as StoredXMedium,
  Plan as XPlan,
  Readers as XReaders,
  StoredPost as StoredXPost,
} from "./x/state.ts";
export type { AddedChannel, NewChannel as NewYoutubeChannel, YoutubeSandbox } from "./youtube/network.ts";
export type { VideoFailure as YoutubeVideoFailure, Ways as YoutubeWays } from "./youtube/state.ts";
