import { toTimestamp } from "../platform/timestamps.ts";
import { mediaTypeOf, type Media } from "./model.ts";
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Clock } from "../platform/clock.ts";

type Urls = Pick<MediaUrls, "sign">;

export type MediaUrls = {
  /** A signed URL of the file, valid for an hour. Every call creates a new one. */
  sign(media: Pick<Media, "hash" | "filename">): string;
  /** Whether `e` (expiry) and `s` (signature) of a URL are valid. */
  isSigned(hash: string, input: { e: string; s: string }): boolean;
};

export type MediaUrlDeps = Readonly<{
  /** The platform's key, from which the signing key is derived. */
  secretKey: Buffer;
  /** Public address without a slash at the end. */
  baseUrl: string;
  clock: Clock;
}>;

/** An item of a ticket's list: ticket-specific names, and `location` with `lon` if known. */
export function presentTicketMedia(media: Media, urls: Urls) {
  return {
    id: media.id,
    title: media.title,
    type: media.mimeType,
    hash: media.hash,
    description: media.description,
    source_type: media.sourceType,
    ...(media.geoloc === null
      ? {}
      : { location: { lat: media.geoloc.lat, lon: media.geoloc.lng } }),
    url: urls.sign(media),
  };
}

/** A single media: the members of a conference's list, and the parent. */
export function presentMedia(media: Media, urls: Urls) {
  return {
    ...presentConferenceMedia(media, urls),
    modified: toTimestamp(media.modifiedAt),
    type: media.mimeType,
    _parent: { name: media.parent.name, id: media.parent.id },
  };
}

/** An item of a conference's list: `geoloc` with `lng`, twice; null if unknown. */
export function presentConferenceMedia(media: Media, urls: Urls) {
  return {
    id: media.id,
    hash: media.hash,
    created: toTimestamp(media.createdAt),
    owner: { id: media.owner.id, name: media.owner.name },
    title: media.title,
    description: media.description,
    filename: media.filename,
    status: media.state,
    media_type: mediaTypeOf(media.mimeType),
    url: urls.sign(media),
    filesize: media.bytes,
    source_type: media.sourceType,
    geoloc: media.geoloc,
    metadata: { geoloc: media.geoloc },
  };
}

const validSeconds = 3_600;

export function createMediaUrls({ secretKey, baseUrl, clock }: MediaUrlDeps): MediaUrls {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "sightline media link 1", 32));
  const mac = (hash: string, expires: string): string =>
    createHmac("sha256", key).update(`${hash}\n${expires}`).digest("base64url");
  const nowSeconds = (): number => Math.floor(clock.now().getTime() / 1_000);
  return {
    sign: ({ hash, filename }) => {
      const expires = String(nowSeconds() + validSeconds);
      const path = `/attachments/${hash}/${encodeURIComponent(filename)}`;
      return `${baseUrl}${path}?e=${expires}&s=${mac(hash, expires)}`;
    },
    isSigned: (hash, { e, s }) => {
      const expected = Buffer.from(mac(hash, e));
      const input = Buffer.from(s);
      const isOurs = expected.length === input.length && timingSafeEqual(expected, input);
      return isOurs && /^\d{1,12}$/u.test(e) && Number(e) > nowSeconds();
    },
  };
}
