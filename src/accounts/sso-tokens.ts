/** Tokens in the agent's link to a ticket: good for that ticket only, never for the API. */
import type { Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import { newToken } from "./token.ts";
import { deleteSsoTokens, insertSsoToken } from "./store.ts";

export type SsoGrant = Readonly<{
  enterpriseId: number;
  userId: number;
  ticketId: number;
  expiresAt: Date;
}>;

export type SsoTokens = {
  /** A token for this ticket and this user only. */
  issueSsoToken(trx: Trx, grant: SsoGrant): Promise<string>;
  /** Ends every such token of the ticket. */
  revokeSsoTokens(trx: Trx, ticket: { enterpriseId: number; ticketId: number }): Promise<void>;
};

export function createSsoTokens({ ids }: { ids: Pick<Ids, "bytes" | "uuid"> }): SsoTokens {
  return {
    issueSsoToken: async (trx, grant) => {
      const { token, hash } = newToken(ids);
      await insertSsoToken(trx, { ...grant, hash, family: ids.uuid() });
      return token;
    },
    revokeSsoTokens: deleteSsoTokens,
  };
}
