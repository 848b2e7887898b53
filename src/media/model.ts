import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { EventAction, MediaProps, MediaState, OutboundEvent } from "../contracts/events.ts";
import type { FaultPoint } from "../contracts/fault-points.ts";
import type { Scope } from "../contracts/permissions.ts";
import { problem, type Problem } from "../contracts/problems.ts";
import type { RoomRef } from "../contracts/rooms.ts";
import type { Geoloc, TimelineEvent } from "../contracts/session-events.ts";
import type { RecordCustomerInput, TicketRef } from "../contracts/tickets.ts";
import type { Outbox } from "../pipeline/outbox/append.ts";
import type { BlobStore } from "../platform/blobs/store.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Queryable, Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";
import type { Tasks } from "../platform/tasks/task.ts";
import { toTimestamp } from "../platform/timestamps.ts";

export const sourceTypes = [
  "ticket_snapshot",
  "ticket_share",
  "ticket_record",
  "conf_snapshot",
  "conf_share",
  "conf_record",
] as const;

export type SourceType = (typeof sourceTypes)[number];

export type ParentRef = Readonly<{ name: "ticket" | "conference"; id: number }>;

/** A photo, video or other file of a ticket or conference. */
export type Media = Readonly<{
  id: number;
  enterpriseId: number;
  /** Part of the public URL of the file. */
  hash: string;
  parent: ParentRef;
  conversationId: number;
  state: MediaState;
  sourceType: SourceType;
  title: string;
  description: string | null;
  filename: string;
  mimeType: string;
  /** Size of the readable file; 0 if there is none yet. */
  bytes: number;
  geoloc: Geoloc | null;
  /** Id 0: a guest. */
  owner: Readonly<{ id: number; name: string }>;
  createdAt: Date;
  modifiedAt: Date;
  deletedAt: Date | null;
}>;

/** The creator of a media. Guests have no `userId`. */
export type MediaOwner = Readonly<{ userId: number | null; name: string }>;

export const mediaTypes = ["image", "video", "audio", "document", "other"] as const;

export type MediaType = (typeof mediaTypes)[number];

/** The coarse type of a media, from its MIME type. */
export function mediaTypeOf(mimeType: string): MediaType {
  const [family] = mimeType.split("/");
  if (family === "image" || family === "video" || family === "audio") {
    return family;
  }
  return family === "text" || family === "application" ? "document" : "other";
}

/** The blob keys of both states. */
export function fileKeys(hash: string): string[] {
  return [fileKey({ hash, state: "completed" }), fileKey({ hash, state: "uncompleted" })];
}

/**
 * The blob key of the file. The playable part of an incomplete recording has its own key, so that a
 * late writer never replaces the complete file.
 */
export function fileKey({ hash, state }: Pick<Media, "hash" | "state">): string {
  return state === "uncompleted" ? `media/${hash}/part` : `media/${hash}/file`;
}

/** Whether the media has a readable file. */
export function hasFile({ state, bytes }: Pick<Media, "state" | "bytes">): boolean {
  return (state === "completed" || state === "uncompleted") && bytes > 0;
}

/** The blob store failed: it is unreachable, too slow or full, or refuses our credentials. */
export function storeFailed(detail: string, cause: unknown): Problem {
  return problem("dependency_down", detail, { headers: { "Retry-After": "30" }, cause });
}

/** The store failed to return a file that exists. */
export function readFailed(cause: unknown): Problem {
  return storeFailed("The file could not be read.", cause);
}

export function mediaCreated(media: Media): OutboundEvent {
  return mediaEvent("create", media);
}

export function mediaUpdated(media: Media): OutboundEvent {
  return mediaEvent("update", media);
}

/** Contains the last state. */
export function mediaDeleted(media: Media): OutboundEvent {
  return mediaEvent("delete", media);
}

function mediaEvent(event: EventAction, media: Media): OutboundEvent {
  const props: MediaProps = { state: media.state, _parent: { ...media.parent } };
  return {
    enterpriseId: media.enterpriseId,
    key: `media:${media.id}`,
    event,
    object: "media",
    objectId: media.id,
    props,
  };
}

type LockedTicket = Readonly<{ id: number; enterpriseId: number; conversationId: number }>;

/** The ticket that a file belongs to, inside the transaction that completes the file. */
export type MediaTickets = {
  /** Locks the ticket until the end of the transaction; undefined if it does not exist. */
  lock(trx: Trx, ref: TicketRef): Promise<LockedTicket | undefined>;
  /** Writes timeline entries and appends their events. */
  writeTimeline(trx: Trx, ticket: LockedTicket, entries: readonly TimelineEvent[]): Promise<void>;
  recordCustomerInput: RecordCustomerInput<Trx>;
};

export type MediaParent = Readonly<{ conversationId: number }>;

/** Throws 404 if the enterprise has no such object, 403 if it is out of reach. */
export type MediaParents = {
  requireTicket(scope: Scope, ticketId: number): Promise<MediaParent>;
  requireConference(scope: Scope, conferenceId: number): Promise<MediaParent>;
};

/** Whether people are in the room of the conversation. */
export type HasOpenSession = (db: Queryable, room: RoomRef) => Promise<boolean>;

/** Whether those who are in the room have agreed to a recording. */
export type RecordingConsent = Readonly<{
  mayStart(db: Queryable, room: RoomRef & Readonly<{ ticketId: number | null }>): Promise<boolean>;
  mayContinue(db: Queryable, room: RoomRef): Promise<boolean>;
}>;

export type MediaDeps = Readonly<{
  db: Db;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  blobs: BlobStore;
  outbox: Outbox;
  tasks: Tasks;
  tickets: MediaTickets;
  parents: MediaParents;
  hasOpenSession: HasOpenSession;
  recordingConsent: RecordingConsent;
  faultPoint: FaultPoint;
  log: Pick<Logger, "error">;
}>;

type Urls = Pick<MediaUrls, "sign">;

export type MediaUrls = {
  /** A signed URL of the file, valid for 60 to 75 minutes. */
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

/**
 * The expiry is rounded up to a multiple of this. The URL then stays the same, and a page that polls
 * neither downloads its pictures again nor restarts a video.
 */
const windowSeconds = 900;

export function createMediaUrls({ secretKey, baseUrl, clock }: MediaUrlDeps): MediaUrls {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "sightline media link 1", 32));
  const mac = (hash: string, expires: string): string =>
    createHmac("sha256", key).update(`${hash}\n${expires}`).digest("base64url");
  const nowSeconds = (): number => Math.floor(clock.now().getTime() / 1_000);
  return {
    sign: ({ hash, filename }) => {
      const windows = Math.ceil((nowSeconds() + validSeconds) / windowSeconds);
      const expires = String(windows * windowSeconds);
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
