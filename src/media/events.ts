import type { EventAction, MediaProps, OutboundEvent } from "../contracts/events.ts";
import type { Media } from "./media.ts";

const mediaEvent = (event: EventAction, media: Media): OutboundEvent => {
  const props: MediaProps = { state: media.state, _parent: { ...media.parent } };
  return {
    enterpriseId: media.enterpriseId,
    key: `media:${media.id}`,
    event,
    object: "media",
    objectId: media.id,
    props,
  };
};

export const mediaCreated = (media: Media): OutboundEvent => mediaEvent("create", media);
export const mediaUpdated = (media: Media): OutboundEvent => mediaEvent("update", media);
/** Carries the last state. */
export const mediaDeleted = (media: Media): OutboundEvent => mediaEvent("delete", media);
