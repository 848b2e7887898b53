import { allPages } from "../../../base/all-pages.ts";
import { api, call } from "../../../base/api.ts";
import type { components } from "../../../base/api-types.ts";

export type Token = components["schemas"]["ApiToken"];

/** The tokens of all users of an enterprise, newest first: each must be there to be revoked. */
export function everyToken(enterpriseId: number): Promise<readonly Token[]> {
  return allPages((query) =>
    call(
      api.GET("/api/enterprises/{enterpriseId}/api-tokens", {
        params: { path: { enterpriseId }, query },
      }),
    ),
  );
}
