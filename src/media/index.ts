export type { MediaFacts } from "./probe/facts.ts";
export {
  type AddressOptions,
  type ByteRange,
  type DirectUpload,
  type MediaStore,
  MediaStoreFailure,
  type MediaStoreFailureReason,
  type PutOptions,
  type StoredMedia,
  type UploadOptions,
} from "./store/store.ts";
export type {
  ImageChange,
  MediaChange,
  MediaTransformer,
  TransformedMedia,
  TransformSource,
  VideoChange,
} from "./transform/transformer.ts";
