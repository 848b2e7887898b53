/** The directory of colleagues, as the agents of tickets use it: the same as that of signalling. */
import { findUser, listTicketColleagues } from "../accounts/directory-store.ts";
import type { Scope } from "../contracts/permissions.ts";
import {
  findColleague,
  listColleagues,
  type DirectoryViewer,
} from "../signalling/colleague-store.ts";
import type { TicketDirectory } from "../tickets/model.ts";

export const colleagueDirectory: Pick<TicketDirectory, "listColleagues" | "findColleague"> = {
  listColleagues: async (db, scope, serviceId) => {
    const seen = await listColleagues(db, viewerOf(scope));
    const ids = seen.map(({ id }) => id);
    return listTicketColleagues(db, { enterpriseId: scope.enterpriseId, serviceId }, ids);
  },
  findColleague: async (db, scope, userId) => {
    const found = await findColleague(db, viewerOf(scope), userId);
    return found?.isSeen === true ? findUser(db, scope.enterpriseId, userId) : undefined;
  },
};

/** Who reaches only own tickets sees their groups, even a manager in a session for one ticket. */
function viewerOf({ enterpriseId, userId, groupIds, reach }: Scope): DirectoryViewer {
  return { enterpriseId, userId, groupIds, seesAll: reach !== "own" };
}
