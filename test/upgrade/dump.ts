import type { Pool } from "pg";
import { postgresMigrationSql } from "../../src/storage/postgres/index.ts";

/** The tables as this version makes them, and their rows. */
export async function dumpSql(pool: Pool): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
  );
  const fills: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ line: string }>(
      `SELECT row_to_json(each)::text AS line FROM "${name}" each ORDER BY 1`,
    );
    for (const { line } of rows) {
      const value = `'${line.replaceAll("'", "''")}'`;
      fills.push(
        `INSERT INTO "${name}" SELECT * FROM json_populate_record(NULL::"${name}", ${value}) ON CONFLICT DO NOTHING;`,
      );
    }
  }
  return `${postgresMigrationSql()}\n${fills.join("\n")}\n`;
}
