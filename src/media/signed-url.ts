import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Clock } from "../platform/clock.ts";
import type { Media } from "./media.ts";

export type MediaUrls = {
  /** The address of a media's file, for whoever holds it, for an hour. New in every answer. */
  sign(media: Pick<Media, "hash" | "filename">): string;
  /** Whether `e` and `s` of an address are ours and not too old. */
  isSigned(hash: string, given: { e: string; s: string }): boolean;
};

export type MediaUrlDeps = Readonly<{
  /** The platform's key; signatures are made with one derived from it. */
  secretKey: Buffer;
  /** Public address without a slash at the end. */
  baseUrl: string;
  clock: Clock;
}>;

const lifeSeconds = 3_600;

export function createMediaUrls({ secretKey, baseUrl, clock }: MediaUrlDeps): MediaUrls {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "sightline media link 1", 32));
  const mac = (hash: string, expires: string): string =>
    createHmac("sha256", key).update(`${hash}\n${expires}`).digest("base64url");
  const nowSeconds = (): number => Math.floor(clock.now().getTime() / 1_000);
  return {
    sign: ({ hash, filename }) => {
      const expires = String(nowSeconds() + lifeSeconds);
      const path = `/attachments/${hash}/${encodeURIComponent(filename)}`;
      return `${baseUrl}${path}?e=${expires}&s=${mac(hash, expires)}`;
    },
    isSigned: (hash, { e, s }) => {
      const expected = Buffer.from(mac(hash, e));
      const given = Buffer.from(s);
      const isOurs = expected.length === given.length && timingSafeEqual(expected, given);
      return isOurs && /^\d{1,12}$/u.test(e) && Number(e) > nowSeconds();
    },
  };
}
