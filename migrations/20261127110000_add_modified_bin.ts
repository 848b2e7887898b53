import type { Knex } from "knex";

/** The start of the five minutes in which a time lies. */
export function binSql(time: string): string {
  return `date_bin('5 minutes', ${time}, timestamptz '2000-01-01 00:00:00Z')`;
}

const newBin = binSql("NEW.modified_at");

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- The five minutes in which modified_at lies (modifiedColumns in src/tickets/store.ts). Lists are
    -- ordered by it first: with an index on modified_at itself, each change of a ticket would add
    -- an entry to every index of the table.
    ALTER TABLE tickets ADD COLUMN modified_bin timestamptz;
    ALTER TABLE tickets ALTER COLUMN modified_bin
      SET DEFAULT ${binSql("now()")};
  `);
  await createTrigger(knex);
};

export const down = async (knex: Knex): Promise<void> => {
  await dropTrigger(knex);
  await knex.raw("ALTER TABLE tickets DROP COLUMN modified_bin");
};

/** For processes that do not know the column yet. */
export async function createTrigger(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE OR REPLACE FUNCTION public.set_modified_bin() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.modified_bin := ${newBin};
      RETURN NEW;
    END $$;
    CREATE OR REPLACE TRIGGER set_modified_bin BEFORE INSERT OR UPDATE ON public.tickets FOR EACH ROW
      WHEN (NEW.modified_bin IS DISTINCT FROM ${newBin}) EXECUTE FUNCTION public.set_modified_bin();
  `);
}

export async function dropTrigger(knex: Knex): Promise<void> {
  await knex.raw(`DROP TRIGGER IF EXISTS set_modified_bin ON public.tickets;
    DROP FUNCTION IF EXISTS public.set_modified_bin()`);
}
