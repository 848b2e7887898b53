import { defaultAvatarPath } from "../http/public-pages.ts";
import { toTimestamp } from "../platform/timestamps.ts";
import type { IssuedTokens, Profile } from "./model.ts";

/** The token object. `refresh_token` stands in it only where it was asked for. */
export function presentTokens(tokens: IssuedTokens) {
  return {
    access_token: tokens.accessToken,
    created_at: toTimestamp(tokens.createdAt),
    expires_in: tokens.expiresInSeconds,
    token_type: "Bearer",
    ...(tokens.refreshToken === undefined ? {} : { refresh_token: tokens.refreshToken }),
  };
}

/** The current user, as the agent module needs it. `ccs` is the host of the signalling. */
export function presentMe(profile: Profile, token: string, baseUrl: string) {
  return {
    photo_url: profile.photoUrl ?? `${baseUrl}${defaultAvatarPath}`,
    enterpriseId: profile.enterpriseId,
    userId: profile.userId,
    apiKey: profile.apiKey,
    nickname: profile.nickname,
    token,
    is_agent: profile.isAgent,
    ccs: new URL(baseUrl).hostname,
    mail: profile.email,
  };
}
