import type { MediaState, EventAction, MediaProps, OutboundEvent } from "../contracts/events.ts";
import type { Geoloc } from "../contracts/session-events.ts";

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
