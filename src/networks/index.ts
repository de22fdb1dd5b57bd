export type { Acceptance, PublishingFailure } from "./contract/acceptance.ts";
export type { Connector, NetworkAdapter, ResponseHead, SignedPart, Signing } from "./contract/adapter.ts";
export { withApiVersion } from "./contract/api-version.ts";
export type {
  CommitBody,
  CommitField,
  CommitFile,
  CommitInput,
  CommitRequest,
  KeySubject,
  Staged,
} from "./contract/commit.ts";
export type { Effect, ErrorBody, ErrorRow, ErrorTable } from "./contract/errors.ts";
export type { ExplainedAccess, InboxAccess } from "./contract/inbox-access.ts";
export type {
  FileRule,
  MediaRule,
  MediaSpec,
  MediaType,
  PostType,
  ProfileLimits,
  TextRule,
} from "./contract/limits.ts";
export type {
  AccountList,
  AccountLists,
  AccountPosts as Sight,
  ListedPost as SeenPost,
  LookInput as LocateInput,
  LookQuery as LocateQuery,
  LookResult as Sighting,
  Pending,
} from "./contract/look.ts";
export { type NetworkId, networkIdPattern } from "./contract/network-id.ts";
export type {
  AnyOptions,
  IdentifiedPart,
  LinkPicture,
  MediaDetails,
  Part,
  PlanInput,
  PlannedLink,
  PlannedMedia,
  Published,
  PublishedPart,
} from "./contract/plan.ts";
export type { Credentials, Identity, ProfileFacts } from "./contract/profile.ts";
export { type CommitRules, type Publisher, readBackRules } from "./contract/publish.ts";
export {
  type FileContent,
  type KeepOptions,
  type LoginContext,
  type MultipartField,
  type NetworkContext,
  type NetworkRequest,
  type NetworkResponse,
  NotReady,
  type PullOptions,
  type RequestBody,
  type StageContext,
} from "./contract/request.ts";
export type { ApiVersions, Cost, NetworkSpec, RuleInput, SpecRule, Variant } from "./contract/spec.ts";
