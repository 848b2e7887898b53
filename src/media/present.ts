import { toTimestamp } from "../platform/timestamps.ts";
import { mediaTypeOf, type Media } from "./media.ts";
import type { MediaUrls } from "./signed-url.ts";

type Urls = Pick<MediaUrls, "sign">;

/** An item of a ticket's list: its own names, and a `location` with `lon` where one is known. */
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

/** A media by itself: as in a conference's list, with what it belongs to. */
export function presentMedia(media: Media, urls: Urls) {
  return {
    ...presentConferenceMedia(media, urls),
    modified: toTimestamp(media.modifiedAt),
    type: media.mimeType,
    _parent: { name: media.parent.name, id: media.parent.id },
  };
}

/** An item of a conference's list: `geoloc` with `lng`, twice, null where none is known. */
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
