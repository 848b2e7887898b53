import { secretsAad, type SigningSecret } from "../../src/contracts/subscriptions.ts";
import { rowsOf, type Trx } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { createSecretBox } from "../../src/platform/secret-box.ts";
import type { Stack } from "./stack.ts";

const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

async function insertEnterprise(trx: Trx): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    trx,
    "INSERT INTO enterprises (name, api_key) VALUES ('Bench', md5(random()::text)) RETURNING id",
  );
  return row?.id ?? 0;
}

async function insertSubscription(
  trx: Trx,
  sealedFor: (id: number) => Buffer,
  { enterpriseId, url }: { enterpriseId: number; url: string },
): Promise<void> {
  const [taken] = await rowsOf<{ id: number; revision: number }>(
    trx,
    `UPDATE subscription_revision_counter SET revision = revision + 1
     RETURNING revision, nextval(pg_get_serial_sequence('subscriptions', 'id')) AS id`,
  );
  const { id = 0, revision = 0 } = taken ?? {};
  await rowsOf(
    trx,
    `INSERT INTO subscriptions (id, enterprise_id, name, url, is_active, filters, secret_sealed, revision)
     VALUES (?, ?, 'Bench', ?, true, '{*}', ?, ?)`,
    [id, enterpriseId, url, sealedFor(id), revision],
  );
  await rowsOf(
    trx,
    `INSERT INTO subscription_revisions
       (revision, subscription_id, enterprise_id, valid_from, is_active, is_ordered, filters, url)
     VALUES (?, ?, ?, now(), true, false, '{*}', ?)`,
    [revision, id, enterpriseId, url],
  );
  await rowsOf(
    trx,
    "INSERT INTO subscription_health (subscription_id, enterprise_id) VALUES (?, ?)",
    [id, enterpriseId],
  );
}

/**
 * Creates an enterprise with one subscription per URL, which gets all its events. Returns the id.
 */
export async function subscribe(
  { db, secretKey }: Pick<Stack, "db" | "secretKey">,
  urls: readonly string[],
): Promise<number> {
  const box = createSecretBox(secretKey);
  const secrets: SigningSecret[] = [{ secret, until: null }];
  return inTransaction(db, async (trx) => {
    const enterpriseId = await insertEnterprise(trx);
    for (const url of urls) {
      const sealedFor = (id: number): Buffer =>
        box.seal(JSON.stringify(secrets), secretsAad(enterpriseId, id));
      await insertSubscription(trx, sealedFor, { enterpriseId, url });
    }
    return enterpriseId;
  });
}
