import type { Scope } from "../contracts/permissions.ts";
import type { ApiRequest } from "./route.ts";

/** On whose behalf an operation runs: its caller's, as far as its permission reaches. */
export function scopeOf({ caller, reach }: Pick<ApiRequest, "caller" | "reach">): Scope {
  return {
    enterpriseId: caller.enterpriseId,
    userId: caller.userId,
    groupIds: caller.groupIds,
    reach,
  };
}
