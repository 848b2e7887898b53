/** For connections that outlive the call that opened them: whose tokens are still good. */
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import { hashToken } from "./token.ts";

/** Those of the access tokens that are not expired or revoked, while their users are active. */
export async function findGoodTokens(
  db: Queryable,
  tokens: readonly string[],
): Promise<ReadonlySet<string>> {
  const byHash = new Map(tokens.map((token) => [hashToken(token).toString("hex"), token]));
  const rows = await rowsOf<{ hash: string }>(
    db,
    `SELECT encode(t.hash, 'hex') AS hash FROM tokens t
     JOIN users u ON u.enterprise_id = t.enterprise_id AND u.id = t.user_id
     WHERE t.hash IN (SELECT decode(given.hash, 'hex') FROM unnest(?::text[]) AS given (hash))
       AND t.kind = 'access' AND t.expires_at > now() AND u.is_active`,
    [[...byHash.keys()]],
  );
  return new Set(rows.flatMap(({ hash }) => byHash.get(hash) ?? []));
}
