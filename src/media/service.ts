import type { Scope } from "../contracts/permissions.ts";
import { missingParameter, problem } from "../contracts/problems.ts";
import { knownTotal } from "../http/paging.ts";
import type { OpenBlob, ByteRange } from "../platform/blobs/store.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { isCanonicalUuid } from "../platform/ids.ts";
import {
  fileKey,
  hasFile,
  type Media,
  mediaDeleted,
  type MediaDeps,
  mediaUpdated,
  readFailed,
} from "./model.ts";
import {
  countMedia,
  listMedia,
  type MediaFilter,
  type MediaPage,
  findMedia,
  findMediaByHash,
  lockMedia,
  updateMedia,
  type FoundMedia,
} from "./store.ts";

export type MediaChange = Readonly<{
  title?: string;
  description?: string | null;
  latitude?: number | null;
  longitude?: number | null;
}>;

export type MediaService = {
  /** Throws 404 if the enterprise has no such media, 403 if it is out of reach. */
  get(scope: Scope, id: number): Promise<Media>;
  /** One page of matching media, and the total. */
  list(
    scope: Scope,
    filter: MediaFilter,
    page: MediaPage,
  ): Promise<{ total: number; media: Media[] }>;
  /** Applies the change. Without a difference nothing is written and no event is sent. */
  change(scope: Scope, id: number, change: MediaChange): Promise<Media>;
  /** Deletes the media softly; the cleanup removes its file. */
  remove(scope: Scope, id: number): Promise<void>;
  /**
   * The file, or a part of it; 404 if there is none yet, 503 if the store fails. If the stream fails
   * before its first byte, `readFailed` is the answer.
   */
  open(media: Media, range?: ByteRange): Promise<OpenBlob>;
  /** By the hash in the URL, in any enterprise, even if deleted. */
  findByHash(hash: string): Promise<Media | undefined>;
};

export function createMediaService({ db, clock, blobs, outbox }: MediaDeps): MediaService {
  const get = async (scope: Scope, id: number) => requireMedia(await findMedia(db, scope, id), id);
  const read = (key: string, range?: ByteRange) =>
    blobs.open(key, range).catch((cause: unknown) => {
      throw readFailed(cause);
    });
  return {
    get,

    list: async (scope, filter, page) => {
      const media = await listMedia(db, scope, filter, page);
      const known = knownTotal(page, media.length);
      return { total: known ?? (await countMedia(db, scope, filter)), media };
    },

    change: async (scope, id, change) => {
      const found = await get(scope, id);
      return inTransaction(db, async (trx) => {
        const media = requireMedia(asInReach(await lockMedia(trx, found)), id);
        const fields = fieldsOf(media, change);
        if (isSame(fields, fieldsOf(media, {}))) {
          return media;
        }
        const after = await updateMedia(trx, media, { ...fields, at: clock.now() });
        await outbox.append(trx, [mediaUpdated(after)]);
        return after;
      });
    },

    remove: async (scope, id) => {
      const found = await get(scope, id);
      await inTransaction(db, async (trx) => {
        const media = requireMedia(asInReach(await lockMedia(trx, found)), id);
        await updateMedia(trx, media, { at: clock.now(), isDeleted: true });
        await outbox.append(trx, [mediaDeleted(media)]);
      });
    },

    open: async (media, range) => {
      const blob = hasFile(media) ? await read(fileKey(media), range) : undefined;
      if (blob === undefined) {
        throw problem("not_found", `Media ${media.id} has no file yet.`);
      }
      return blob;
    },

    findByHash: async (hash) => (isCanonicalUuid(hash) ? findMediaByHash(db, hash) : undefined),
  };
}

/** Throws 404 if the enterprise has no such media, 403 if it is out of reach. */
export function requireMedia(found: FoundMedia | undefined, id: number): Media {
  if (found === undefined) {
    throw problem("not_found", `Media ${id} was not found.`);
  }
  if (!found.isInReach) {
    throw problem("forbidden", `Media ${id} belongs to another user's ticket or conference.`);
  }
  return found.media;
}

/** The reach was checked before the lock and does not depend on the row. */
function asInReach(media: Media | undefined): FoundMedia | undefined {
  return media && { media, isInReach: true };
}

function fieldsOf(media: Media, change: MediaChange) {
  const { title = media.title, description = media.description } = change;
  const { latitude = media.geoloc?.lat, longitude = media.geoloc?.lng } = change;
  return { title, description, geoloc: parseGeoloc(latitude, longitude) };
}

/** Both coordinates or none. */
export function parseGeoloc(
  latitude: number | null | undefined,
  longitude: number | null | undefined,
): Media["geoloc"] {
  const lat = latitude ?? null;
  const lng = longitude ?? null;
  if (lat !== null && lng !== null) {
    return { lat, lng };
  }
  if (lat !== null || lng !== null) {
    throw missingParameter(
      lat === null ? "latitude" : "longitude",
      "Give latitude and longitude together, or neither.",
    );
  }
  return null;
}

function isSame(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
