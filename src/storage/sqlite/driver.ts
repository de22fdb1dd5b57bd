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

/** Its values are numbers, strings and null; `unknown` is what the drivers' own types agree with under each TypeScript. */
export interface SqliteStatement {
  /** Runs a statement that answers nothing. `changes`: the rows that it inserted, changed or deleted. */
  run(...values: unknown[]): { changes: number | bigint };
  /** The first row, or undefined; afterwards the statement holds no lock. (libsql's adds a field of its own, `_metadata`.) */
  get(...values: unknown[]): unknown;
  /** All rows. */
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
 * Opens a database file, which is made when it is not there, with the first
 * driver that loads.
 *
 * @param load how a module is loaded; replaced in tests only
 * @throws Error with the line to type when no driver is there
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

/** False for a database in memory: another handle would open another one. */
export function liesInFile(handle: SqliteHandle): boolean {
  const [main] = handle.prepare("PRAGMA database_list").all() as { file: string | null }[];
  return Boolean(main?.file);
}

/** From where this package lies, then from the host's folder: with pnpm only the host sees what it has installed. */
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
