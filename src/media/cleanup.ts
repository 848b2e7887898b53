/** Bounded steps that the schedule repeats. Each returns the number of rows it handled. */
import { dayMs } from "../platform/clock.ts";
import { rowsOf } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { toError } from "../platform/errors.ts";
import { fileKeys, mediaDeleted, type MediaDeps, mediaUpdated } from "./model.ts";
import { chunkKey, listStartedChunks } from "./recording-store.ts";
import { mediaColumns, toMedia, type MediaRow } from "./rows.ts";
import { updateMedia } from "./store.ts";

export type MediaCleanup = {
  /** Sets uploads whose process died to `error`. */
  endStuckUploads(): Promise<number>;
  /**
   * Deletes files that exceed the retention of their service or belong to deleted tickets, and
   * emits events.
   */
  deleteExpired(): Promise<number>;
  /** Removes files of deleted and failed media from the blob store. */
  removeFiles(): Promise<number>;
  /** Removes chunks of finished recordings from the blob store. */
  removeChunks(): Promise<number>;
  /** Purges media deleted 30 days ago. Until then their links answer that the file is gone. */
  purge(): Promise<number>;
};

/** Rows per step. */
const batchSize = 100;

/** Longer than any upload: the server closes slower connections. */
const stuckAfterMs = 3_600_000;

type Removable = { id: number; hash: string };

const purgeAfterMs = 30 * dayMs;

// Each enterprise begins with the shortest retention of its own services, so that those who keep files
// long are not read again and again because of others.
const expiredSql = `
  WITH shortest AS (
    SELECT enterprise_id, min(media_retention_days) AS days FROM services GROUP BY enterprise_id
  ), expired AS MATERIALIZED (
    SELECT one.id FROM shortest CROSS JOIN LATERAL (SELECT o.id FROM media o
      WHERE o.enterprise_id = shortest.enterprise_id AND o.deleted_at IS NULL
        AND o.created_at < ?::timestamptz - interval '1 day' * shortest.days
        AND o.created_at < ?::timestamptz - interval '1 day' * (
          SELECT s.media_retention_days FROM services s WHERE s.enterprise_id = o.enterprise_id
            AND s.id = coalesce((SELECT t.service_id FROM tickets t WHERE t.id = o.ticket_id),
              (SELECT c.service_id FROM conferences c WHERE c.id = o.conference_id)))
      ORDER BY o.created_at LIMIT ${batchSize}) AS one
  )
  SELECT ${mediaColumns} FROM media m
  WHERE m.id IN (SELECT id FROM expired) AND m.deleted_at IS NULL
  ORDER BY m.created_at LIMIT ${batchSize} FOR UPDATE OF m SKIP LOCKED`;

const orphanSql = `SELECT ${mediaColumns} FROM media m JOIN tickets t ON t.id = m.ticket_id
  WHERE t.deleted_at IS NOT NULL AND m.deleted_at IS NULL
  LIMIT ${batchSize} FOR UPDATE OF m SKIP LOCKED`;

// A deleted upload may still be writing its file: a check before the file arrives would never be
// repeated.
const removableSql = `SELECT id, hash FROM media
  WHERE id > ? AND files_removed_at IS NULL AND (deleted_at IS NOT NULL OR state = 'error')
    AND (state <> 'inprogress' OR modified_at < ?)
  ORDER BY id LIMIT ${batchSize}`;

const closedSql = `SELECT id, hash FROM media
  WHERE id > ? AND closed_at IS NOT NULL AND received_bytes > 0
  ORDER BY id LIMIT ${batchSize}`;

export function createMediaCleanup(deps: MediaDeps): MediaCleanup {
  const { db, clock, blobs } = deps;
  const { deleteWhere, endStuckUploads } = createCleanupWrites(deps);

  /** Removes the chunks first and the rows last, so that the step is repeated after a crash. */
  const removeChunksOf = async ({ id, hash }: Removable): Promise<void> => {
    for (const chunk of await listStartedChunks(db, id)) {
      await blobs.remove(chunkKey(hash, chunk));
    }
    await inTransaction(db, async (trx) => {
      await rowsOf(trx, "DELETE FROM recording_chunks WHERE media_id = ?", [id]);
      await rowsOf(trx, "UPDATE media SET received_bytes = 0 WHERE id = ?", [id]);
    });
  };

  const eachOf = createBatchRunner(deps);

  return {
    endStuckUploads,

    deleteExpired: async () => {
      const now = clock.now();
      return (await deleteWhere(expiredSql, [now, now])) + (await deleteWhere(orphanSql, []));
    },

    removeFiles: () => {
      const bindings = [new Date(clock.now().getTime() - stuckAfterMs)];
      return eachOf({ sql: removableSql, bindings }, async (row) => {
        await removeChunksOf(row);
        await Promise.all(fileKeys(row.hash).map((key) => blobs.remove(key)));
        await db("media").where({ id: row.id }).update({ files_removed_at: clock.now() });
      });
    },

    removeChunks: () => eachOf({ sql: closedSql }, removeChunksOf),

    purge: async () => {
      const before = new Date(clock.now().getTime() - purgeAfterMs);
      const rows = await rowsOf(
        db,
        `DELETE FROM media WHERE id IN (SELECT id FROM media
          WHERE deleted_at < ? AND files_removed_at IS NOT NULL
          ORDER BY deleted_at LIMIT ${batchSize}) RETURNING id`,
        [before],
      );
      return rows.length;
    },
  };
}

const stuckSql = `SELECT ${mediaColumns} FROM media m
  WHERE m.state = 'inprogress' AND m.modified_at < ? AND m.deleted_at IS NULL
    AND m.source_type NOT IN ('ticket_record', 'conf_record')
  ORDER BY m.modified_at LIMIT ${batchSize} FOR UPDATE OF m SKIP LOCKED`;

/** Steps that change media and emit events. */
function createCleanupWrites({ db, clock, outbox }: MediaDeps) {
  const deleteWhere = (sql: string, bindings: readonly unknown[]): Promise<number> =>
    inTransaction(db, async (trx) => {
      const found = (await rowsOf<MediaRow>(trx, sql, bindings)).map(toMedia);
      for (const media of found) {
        await updateMedia(trx, media, { at: clock.now(), isDeleted: true });
      }
      await outbox.append(trx, found.map(mediaDeleted));
      return found.length;
    });

  const endStuckUploads = (): Promise<number> =>
    inTransaction(db, async (trx) => {
      const at = clock.now();
      const before = new Date(at.getTime() - stuckAfterMs);
      const found = (await rowsOf<MediaRow>(trx, stuckSql, [before])).map(toMedia);
      const error = "The upload did not end";
      const failed = [];
      for (const media of found) {
        const update = { at, state: "error", error, receivedBytes: 0 } as const;
        failed.push(await updateMedia(trx, media, update));
      }
      await outbox.append(trx, failed.map(mediaUpdated));
      return found.length;
    });

  return { deleteWhere, endStuckUploads };
}

/** Bounds the number of batches in which every row failed. */
const maxBatches = 20;

function createBatchRunner({ db, log }: MediaDeps) {
  /** A row whose files cannot be removed must not block the others. */
  const actOn = async (row: Removable, act: (row: Removable) => Promise<void>) => {
    try {
      await act(row);
      return 1;
    } catch (thrown) {
      log.error({ mediaId: row.id, reason: toError(thrown).message }, "media.files_not_removed");
      return 0;
    }
  };

  return async (
    { sql, bindings = [] }: { sql: string; bindings?: readonly unknown[] },
    act: (row: Removable) => Promise<void>,
  ): Promise<number> => {
    let treated = 0;
    let after = 0;
    for (let batch = 0; batch < maxBatches; batch += 1) {
      const rows = await rowsOf<Removable>(db, sql, [after, ...bindings]);
      for (const row of rows) {
        treated += await actOn(row, act);
      }
      after = rows.at(-1)?.id ?? after;
      if (treated > 0 || rows.length < batchSize) {
        break;
      }
    }
    return treated;
  };
}
