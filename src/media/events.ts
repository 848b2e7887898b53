import type { EventAction, MediaProps, OutboundEvent } from "../contracts/events.ts";
import type { Media } from "./media.ts";

export function mediaCreated(media: Media): OutboundEvent {
  return mediaEvent("create", media);
}

export function mediaUpdated(media: Media): OutboundEvent {
  return mediaEvent("update", media);
}

/** Carries the last state. */
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
