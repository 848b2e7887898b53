import {
  headersAad,
  secretsAad,
  type CustomHeader,
  type SigningSecret,
} from "../../contracts/subscriptions.ts";
import { rowsOf, type Db } from "../../platform/db/pool.ts";
import type { SecretBox } from "../../platform/secret-box.ts";

/** Where and how a subscription's requests go. Secrets in clear: for this process's memory only. */
export type Target = {
  revision: number;
  url: string;
  headers: readonly CustomHeader[];
  secrets: readonly SigningSecret[];
};

/** The target, or why there is none: the platform's key does not open its secrets, say. */
export type TargetLookup =
  { kind: "target"; target: Target } | { kind: "unusable"; reason: string };

export type Targets = {
  /** The target at `revision` or a newer one. Read once per revision and process, then cached. */
  find(subscriptionId: number, revision: number): Promise<TargetLookup>;
};

type TargetRow = {
  id: number;
  enterprise_id: number;
  revision: number;
  url: string | null;
  headers_sealed: Buffer | null;
  secret_sealed: Buffer;
};

const mostCached = 10_000;

const openRow = (row: TargetRow, box: Pick<SecretBox, "open">): TargetLookup => {
  if (row.url === null) {
    return { kind: "unusable", reason: "the subscription has no URL" };
  }
  try {
    const headers =
      row.headers_sealed === null
        ? "[]"
        : box.open(row.headers_sealed, headersAad(row.enterprise_id, row.id));
    const secrets = box.open(row.secret_sealed, secretsAad(row.enterprise_id, row.id));
    const target = {
      revision: row.revision,
      url: row.url,
      headers: JSON.parse(headers) as CustomHeader[],
      secrets: JSON.parse(secrets) as SigningSecret[],
    };
    return { kind: "target", target };
  } catch {
    return { kind: "unusable", reason: "its stored secrets do not open with SECRET_KEY" };
  }
};

export const createTargets = (db: Db, box: Pick<SecretBox, "open">): Targets => {
  const cache = new Map<number, Target>();
  const load = async (subscriptionId: number): Promise<TargetLookup> => {
    const [row] = await rowsOf<TargetRow>(
      db,
      `SELECT id, enterprise_id, revision, url, headers_sealed, secret_sealed
       FROM subscriptions WHERE id = ?`,
      [subscriptionId],
    );
    return row === undefined
      ? { kind: "unusable", reason: "the subscription is gone" }
      : openRow(row, box);
  };
  return {
    find: async (subscriptionId, revision) => {
      const cached = cache.get(subscriptionId);
      if (cached !== undefined && cached.revision >= revision) {
        return { kind: "target", target: cached };
      }
      const found = await load(subscriptionId);
      if (found.kind === "target") {
        if (cache.size >= mostCached) {
          cache.clear();
        }
        cache.set(subscriptionId, found.target);
      }
      return found;
    },
  };
};
