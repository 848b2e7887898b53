/** ICE settings: STUN, and TURN if a direct connection fails. */
import { createHmac } from "node:crypto";
import type { IceServer, IceSettings } from "../contracts/room-messages.ts";

export type IceOptions = Readonly<{
  stunUrls: readonly string[];
  turnUrls: readonly string[];
  /** Shared with coturn (`use-auth-secret`). */
  turnSecret: string | undefined;
  policy: IceSettings["policy"];
}>;

const turnSeconds = 3_600;

/**
 * The settings for one participant, with TURN credentials for an hour: coturn's REST API
 * (draft-uberti-behave-turn-rest-00), user `<expiry>:<participant>`, password HMAC-SHA1.
 */
export function iceSettings(options: IceOptions, participant: string, now: Date): IceSettings {
  const { stunUrls, turnUrls, turnSecret, policy } = options;
  const stun: IceServer[] = stunUrls.length === 0 ? [] : [{ urls: stunUrls }];
  if (turnUrls.length === 0 || turnSecret === undefined) {
    return { servers: stun, policy, expiresInSeconds: null };
  }
  const expiry = Math.floor(now.getTime() / 1_000) + turnSeconds;
  const username = `${expiry}:${participant}`;
  const credential = createHmac("sha1", turnSecret).update(username).digest("base64");
  return {
    servers: [...stun, { urls: turnUrls, username, credential }],
    policy,
    expiresInSeconds: turnSeconds,
  };
}
