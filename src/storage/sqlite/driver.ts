import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * An open SQLite database: one of `node:sqlite` (`DatabaseSync`), libsql,
 * better-sqlite3, or anything else with these methods.
 */
export interface SqliteHandle {
  /** Runs one or several statements. */
  exec(sql: string): unknown;
  /** Compiles one statement. */
  prepare(sql: string): SqliteStatement;
  /** Closes the database. */
  close?(): unknown;
}

/**
 * A prepared statement. Values are numbers, strings and null; `unknown` fits all drivers' own types in every TypeScript
 * version.
 */
export interface SqliteStatement {
  /** Runs a statement without result rows. `changes`: number of inserted, changed or deleted rows. */
  run(...values: unknown[]): { changes: number | bigint };
  /** Returns the first row or undefined, and leaves no lock. libsql adds a field `_metadata`. */
  get(...values: unknown[]): unknown;
  /** Returns all rows. */
  all(...values: unknown[]): unknown[];
}

type OpenDatabase = new (file: string) => SqliteHandle;
type Load = (name: string) => unknown;

/** The drivers, in the order in which they are tried. */
const drivers: readonly { name: string; constructorOf(loaded: unknown): OpenDatabase }[] = [
  { name: "node:sqlite", constructorOf: (loaded) => (loaded as { DatabaseSync: OpenDatabase }).DatabaseSync },
  { name: "libsql", constructorOf: (loaded) => loaded as OpenDatabase },
  { name: "better-sqlite3", constructorOf: (loaded) => loaded as OpenDatabase },
];

const notInstalledCodes = ["MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND", "ERR_UNKNOWN_BUILTIN_MODULE"];

/**
 * Opens a database file with the first driver that loads. Creates the file if it does not exist.
 *
 * @param load loads a module; replaced only in tests
 * @throws Error with the install command if there is no driver
 */
export function openSqlite(file: string, load: Load = loadModule): SqliteHandle {
  const failures: string[] = [];
  for (const { name, constructorOf } of drivers) {
    let OpenDatabase: OpenDatabase;
    try {
      OpenDatabase = constructorOf(load(name));
    } catch (error) {
      if (!notInstalledCodes.includes(codeOf(error))) failures.push(`${name} did not load: ${messageOf(error)}`);
      continue;
    }
    try {
      return new OpenDatabase(file);
    } catch (error) {
      throw new Error(`The database file "${file}" could not be opened by ${name}: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
  const why = `There is no SQLite driver for "${file}". Node has one built in from 22.13 on; this is ${process.version}.`;
  throw new Error([why, ...failures, "Run this, or pass an open handle:", "  npm install libsql"].join("\n"));
}

/** False: the database is in memory, so another handle would open another database. */
export function liesInFile(handle: SqliteHandle): boolean {
  const [main] = handle.prepare("PRAGMA database_list").all() as { file: string | null }[];
  return Boolean(main?.file);
}

/** Loads a module from this package's folder, then from the host's: with pnpm only the host sees its own packages. */
function loadModule(name: string): unknown {
  try {
    return createRequire(import.meta.url)(name);
  } catch (error) {
    if (codeOf(error) !== "MODULE_NOT_FOUND") throw error;
    return createRequire(join(process.cwd(), "package.json"))(name);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
