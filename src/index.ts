export type { Accounts } from "./accounts/accounts.ts";
export type { Connections } from "./connections/connections.ts";
export type { FinishedConnection } from "./connections/finish.ts";
export type {
  Connection,
  ConnectionFailure,
  ConnectionOption,
  FinishConnection,
  GetConnection,
  StartConnection,
  StartedConnection,
} from "./connections/schema.ts";
export type { Media, UploadOptions } from "./hosting/media.ts";
export type { MediaOptions } from "./hosting/options.ts";
export type { CreateUpload, HostedMedia, ListMedia, MediaUpload } from "./hosting/schema.ts";
export type { SignedUrl } from "./hosting/signed-url.ts";
export type { UploadSource } from "./hosting/source.ts";
export type { Conversations } from "./inbox/conversations.ts";
export type { FollowOptions } from "./inbox/follow.ts";
export type { AccountInbox } from "./inbox/inbox.ts";
export type { Replied } from "./inbox/reply.ts";
export type {
  Conversation,
  CreateReply,
  FollowAccount,
  ForgetPerson,
  ForgottenPerson,
  InboxChanges,
  InboxMessage,
  InboxStatus,
  ListChanges,
  ListConversations,
  MarkRead,
  OwnInboxStatus,
  ProfileChanges,
  UpdateConversation,
} from "./inbox/schema.ts";
export type { Keys } from "./keys/keys.ts";
export type { CreatedKey, CreateKey, Key, ListKeys } from "./keys/schema.ts";
export type { NetworkAdapter } from "./networks/contract/adapter.ts";
export type { OptionChoice } from "./networks/contract/choices.ts";
export type { NetworkId } from "./networks/contract/network-id.ts";
export type { NetworkDescription } from "./networks/runtime/schema.ts";
export type { RetentionOptions, SocialServiceOptions, StartOptions } from "./options.ts";
export type { Entitlements } from "./planning/ports.ts";
export type { PostPlan } from "./planning/schema.ts";
export { type Clock, systemClock } from "./ports/clock.ts";
export type { EventName } from "./ports/events.ts";
export type { Ids } from "./ports/ids.ts";
export type { Logger } from "./ports/logger.ts";
export type { CreatedPost } from "./posts/create.ts";
export type { PostFile } from "./posts/given-files.ts";
export type { PostSource, Posts } from "./posts/posts.ts";
export type { PreparedPost } from "./posts/prepare.ts";
export type { RetriedPost } from "./posts/retry.ts";
export type { CreatePost, ListPosts, RetryPost, UpdatePost } from "./posts/schema.ts";
export type { Profiles } from "./profiles/profiles.ts";
export type { ChoicesQuery, ConnectProfile, ListProfiles, Profile } from "./profiles/schema.ts";
export type { Post, Target } from "./publishing/schema.ts";
export type { Scheduler } from "./scheduler/scheduler.ts";
export {
  type AccountModules,
  createSocialService,
  type EventPayloads,
  type SharedModules,
  type SocialService,
  type TenantService,
} from "./service.ts";
export type { Storage } from "./storage/storage.ts";
export type { DeliveryLog } from "./webhooks/log.ts";
export type {
  CreatedEndpoint,
  CreateEndpoint,
  Delivery,
  Endpoint,
  ListDeliveries,
  TestResult,
  UpdateEndpoint,
} from "./webhooks/schema.ts";
export type { Webhooks } from "./webhooks/webhooks.ts";
export {
  type ErrorDetail,
  type PublishingCode,
  PublishingError,
  type RequestCode,
  SocialError,
  type SocialErrorCode,
} from "./wire/errors.ts";
export type { Json, JsonObject } from "./wire/json.ts";
export type { CursorPage, CursorPageQuery, CursorPagination, Page, Pagination } from "./wire/pagination.ts";
export type { DueReport, RunBounds } from "./work/runner.ts";
