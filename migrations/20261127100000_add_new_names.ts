import type { Knex } from "knex";

/**
 * Adds the new names of tables and columns as views, in a schema that connections of this version
 * search before `public`. The tables keep their old names for processes of the previous version,
 * until `rename_old_names`. Takes no locks.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw("CREATE SCHEMA sightline_next");
  for (const renamed of renamedTables) {
    await createView(knex, renamed);
  }
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("DROP SCHEMA sightline_next CASCADE");
};

export type RenamedTable = { from: string; to: string; columns: Readonly<Record<string, string>> };

export const renamedTables: readonly RenamedTable[] = [
  { from: "events", to: "events", columns: { message_id: "event_id" } },
  { from: "outbox", to: "outbox", columns: { event_id: "event_row_id" } },
  { from: "outbox_dead", to: "outbox_dead", columns: { event_id: "event_row_id" } },
  { from: "deliveries", to: "deliveries", columns: { event_id: "event_row_id" } },
  { from: "replays", to: "replays", columns: { last_event_id: "last_event_row_id" } },
  { from: "tasks", to: "tasks", columns: { lane: "queue" } },
  { from: "stays", to: "participations", columns: {} },
];

export async function createView(
  knex: Knex,
  { from, to, columns }: RenamedTable,
  schema = "sightline_next",
): Promise<void> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [from],
  );
  const selected = rows.map(({ name }) => `${name} AS ${columns[name] ?? name}`);
  await knex.raw(`CREATE VIEW ${schema}.${to} AS SELECT ${selected.join(", ")} FROM ${from}`);
}
