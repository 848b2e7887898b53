import { defaultAvatarPath } from "../../http/public-pages.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import type { User } from "./model.ts";

export function presentUser(user: User, baseUrl: string) {
  return {
    id: user.id,
    login: user.login,
    email: user.email,
    phone: user.phone,
    firstname: user.firstname,
    lastname: user.lastname,
    nickname: user.nickname,
    role: user.role,
    isAgent: user.isAgent,
    isActive: user.isActive,
    accountType: user.accountType,
    language: user.language,
    external_id: user.external_id,
    groups: user.groups.map(({ id, name }) => ({ id, name })),
    photo_url: user.photo_url ?? `${baseUrl}${defaultAvatarPath}`,
    created: toTimestamp(user.created),
    modified: toTimestamp(user.modified),
  };
}
