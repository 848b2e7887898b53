import { problem } from "../contracts/problems.ts";
import { rowsOf, type Trx } from "../platform/db/pool.ts";

/**
 * 403 where the enterprise's files and `bytes` more are above what it may keep. Callers of an
 * enterprise with a quota queue up here until their transactions end, so that two of them cannot
 * both take the last place.
 */
export async function requireQuota(
  trx: Trx,
  { enterpriseId, bytes }: { enterpriseId: number; bytes: number },
): Promise<void> {
  const [limited] = await rowsOf<{ max_media_bytes: number }>(
    trx,
    `SELECT max_media_bytes FROM enterprises
      WHERE id = ? AND max_media_bytes IS NOT NULL FOR NO KEY UPDATE`,
    [enterpriseId],
  );
  if (limited === undefined) {
    return;
  }
  const [kept] = await rowsOf<{ bytes: number }>(
    trx,
    `SELECT coalesce(sum(bytes + received_bytes), 0)::bigint AS bytes FROM media
      WHERE enterprise_id = ? AND files_removed_at IS NULL`,
    [enterpriseId],
  );
  if ((kept?.bytes ?? 0) + bytes > limited.max_media_bytes) {
    throw problem("quota_reached", "The enterprise has no space left for files.", {
      details: "Quota max_media_bytes",
    });
  }
}
