export type { Connector, NetworkAdapter } from "./contract/adapter.ts";
export type { CommitFile, CommitInput, CommitRequest, KeySubject, Staged } from "./contract/commit.ts";
export type { Effect, ErrorRow, ErrorTable } from "./contract/errors.ts";
export type {
  MediaRule,
  MediaSpec,
  MediaType,
  NetworkId,
  PostType,
  ProfileLimits,
  TextRule,
} from "./contract/limits.ts";
export type {
  IdentifiedPart,
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
  type LoginContext,
  type MultipartField,
  type NetworkContext,
  type NetworkRequest,
  type NetworkResponse,
  NotReady,
  type RequestBody,
  type StageContext,
} from "./contract/request.ts";
export type { LocateInput, Sighting } from "./contract/sighting.ts";
export type { InboxAccess, NetworkSpec, SpecRule } from "./contract/spec.ts";
