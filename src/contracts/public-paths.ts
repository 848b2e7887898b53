/** Shared by `accounts`, which names the avatar, and `pages`, which serves it. */
export const defaultAvatarPath = "/avatars/default.svg";

/** The absolute URL of a user's photo. */
export function photoUrlOf(url: string | null | undefined, baseUrl: string): string {
  return url ?? `${baseUrl}${defaultAvatarPath}`;
}
