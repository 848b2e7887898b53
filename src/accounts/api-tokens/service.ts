/** Long-lived tokens that users make for their programs. They act with the role of the moment. */
import { problem } from "../../contracts/problems.ts";
import { badToken } from "../../http/authorize.ts";
import type { Caller } from "../../http/route.ts";
import { inTransaction, type Db } from "../../platform/db/pool.ts";
import type { Ids } from "../../platform/ids.ts";
import { entryBy, type Actor } from "../actor.ts";
import type { TokenOwner } from "../model.ts";
import type { Audit } from "../ports.ts";
import { hashToken, isApiToken, newApiToken } from "../token.ts";
import { checkRoles } from "../users/model.ts";
import { lockUser } from "../users/store.ts";
import {
  deleteApiToken,
  insertApiToken,
  isStillSignedIn,
  listApiTokens,
  type ApiToken,
  type TokenScope,
} from "./store.ts";

export type ApiTokensDeps = Readonly<{ db: Db; ids: Pick<Ids, "bytes">; audit: Audit }>;

/** Of one user. */
export const mostApiTokens = 50;

type Page = Readonly<{ limit: number; offset: number }>;

export type ApiTokens = {
  /** The caller made sure that the enterprise may be seen. */
  list(scope: TokenScope, page: Page): Promise<{ total: number; tokens: ApiToken[] }>;
  /** Out: the token itself, which is stored nowhere, too. */
  create(
    actor: Actor,
    presented: Pick<Caller, "token" | "sessionId">,
    wanted: { name: string; days: number },
  ): Promise<{ token: string; made: ApiToken }>;
  /** Throws where none in the scope has the id: it was not found. */
  end(actor: Actor, scope: TokenScope, id: number): Promise<void>;
};

export function createApiTokens({ db, ids, audit }: ApiTokensDeps): ApiTokens {
  return {
    list: (scope, page) => listApiTokens(db, scope, page),
    create: async (actor, presented, { name, days }) => {
      if (isApiToken(presented.token)) {
        throw problem("forbidden", "An API token makes no others: sign in.");
      }
      const { token, hash } = newApiToken(ids);
      const made = await inTransaction(db, async (trx) => {
        // A new password ends what was there before: nobody slips a token past it.
        await lockUser(trx, actor.enterpriseId, actor.userId);
        const { sessionId } = presented;
        const credential = { hash: hashToken(presented.token), sessionId };
        if (!(await isStillSignedIn(trx, actor, credential))) {
          throw badToken();
        }
        await checkQuota(trx, actor);
        const added = await insertApiToken(trx, actor, { hash, name, days });
        await audit.write(trx, {
          ...entryBy(actor),
          action: "create",
          object: "api_token",
          objectId: added.id,
          changes: { name: { to: name }, days: { to: days } },
        });
        return added;
      });
      return { token, made };
    },
    end: (actor, scope, id) =>
      inTransaction(db, async (trx) => {
        const ended = await deleteApiToken(trx, scope, id);
        if (ended === undefined) {
          throw problem("not_found", `API token ${id} was not found.`);
        }
        checkRoles(actor, ended.role);
        await audit.write(trx, {
          ...entryBy(actor, scope.enterpriseId),
          action: "revoke",
          object: "api_token",
          objectId: id,
          changes: { name: { from: ended.name }, user: { from: ended.userId } },
        });
      }),
  };
}

async function checkQuota(db: Parameters<typeof listApiTokens>[0], owner: TokenOwner) {
  const { total } = await listApiTokens(db, owner, { limit: 0, offset: 0 });
  if (total >= mostApiTokens) {
    throw problem("quota_reached", `A user has at most ${mostApiTokens} API tokens.`);
  }
}
