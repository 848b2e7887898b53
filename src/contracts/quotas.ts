/**
 * What counts for the quotas of an enterprise, as SQL: the checks and the operation that shows the
 * use must agree.
 */

/** Bytes of files, from their first part until they are removed. Binding: the enterprise. */
export const usedMediaBytesSql = `SELECT coalesce(sum(bytes + received_bytes), 0)::bigint
  FROM media WHERE enterprise_id = ? AND files_removed_at IS NULL`;

/** SMS, without those rejected before sending. Bindings: the enterprise, and the start. */
export const usedSmsSql = `SELECT count(*) FROM messages
  WHERE enterprise_id = ? AND channel = 'sms' AND created_at >= ?
    AND NOT (status = 'failed' AND error IN ('opted_out', 'quota_reached'))`;
