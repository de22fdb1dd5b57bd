export { type CollectionName, type CollectionSchema, collections } from "./schema.ts";
export {
  type ClaimableCollection,
  type ClaimOptions,
  type Condition,
  type FindQuery,
  type FoundRows,
  type Operation,
  type Row,
  type Storage,
  StorageConflict,
  type Where,
} from "./storage.ts";
