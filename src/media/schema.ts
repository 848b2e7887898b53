import { mediaStates } from "../contracts/events.ts";
import {
  orderings,
  idParams,
  nameLine,
  orderQuery,
  pageQuery,
  periodQuery,
  wordList,
  type BodyOf,
} from "../http/schema.ts";
import type { JsonSchema } from "../http/route.ts";
import { uuidPattern } from "../platform/ids.ts";
import { mediaTypes, sourceTypes } from "./model.ts";

const id = { type: "integer", minimum: 1 } as const;

const count = { type: "integer", minimum: 0 };

const text = { type: "string" };

const nullableText = { type: ["string", "null"] };

const timestamp = { type: "string", format: "date-time" };

const uuid = { type: "string", format: "uuid" };

const url = { type: "string", format: "uri" };

const sourceType = { type: "string", enum: sourceTypes };

const state = { type: "string", enum: mediaStates };

const geoloc = {
  ...object({ lat: { type: "number" }, lng: { type: "number" } }),
  type: ["object", "null"],
};

const ticketMediaSchema: JsonSchema = {
  title: "TicketMedia",
  ...object(
    {
      id,
      title: text,
      type: { ...text, description: "MIME type" },
      hash: uuid,
      description: nullableText,
      source_type: sourceType,
      location: {
        ...object({ lat: { type: "number" }, lon: { type: "number" } }),
        description: "Only if a position is known.",
      },
      url,
    },
    ["location"],
  ),
};

export const ticketMediaListSchema: JsonSchema = {
  title: "TicketMediaList",
  ...object({
    limit: count,
    offset: count,
    medias: { type: "array", items: ticketMediaSchema },
    count: { ...count, description: "Total number of matches." },
  }),
};

const conferenceItem = {
  id,
  hash: uuid,
  created: timestamp,
  owner: object({ id: { ...count, description: "0: a guest" }, name: text }),
  title: text,
  description: nullableText,
  filename: text,
  status: state,
  media_type: { type: "string", enum: mediaTypes },
  url,
  filesize: count,
  source_type: sourceType,
  geoloc,
  metadata: object({ geoloc }),
};

export const conferenceMediaListSchema = listOf("ConferenceMediaList", {
  title: "ConferenceMedia",
  ...object(conferenceItem),
});

export const mediaSchema: JsonSchema = {
  title: "Media",
  ...object({
    ...conferenceItem,
    modified: timestamp,
    type: { ...text, description: "MIME type" },
    _parent: object({ name: { type: "string", enum: ["ticket", "conference"] }, id }),
  }),
};

export const mediaListSchema = listOf("MediaList", mediaSchema);

export const mediaParams = idParams("mediaId");

export const ticketParams = idParams("ticketId");

export const enterpriseTicketParams = idParams("enterpriseId", "ticketId");

export const conferenceParams = idParams("conferenceId");

const pageProperties = {
  ...pageQuery,
  orderby: { type: "string", enum: orderings },
  ...orderQuery,
  status: wordList(mediaStates),
} as const;

export const parentListQuery = {
  type: "object",
  properties: pageProperties,
} as const satisfies JsonSchema;

export type ParentListQuery = BodyOf<typeof parentListQuery>;

export const mediaListQuery = {
  type: "object",
  properties: {
    ...pageProperties,
    ticketId: id,
    conferenceId: id,
    ...periodQuery,
  },
} as const satisfies JsonSchema;

export type MediaListQuery = BodyOf<typeof mediaListQuery>;

/** One line of text. */
const title = { type: "string", minLength: 1, maxLength: 255, ...nameLine } as const;

const description = { maxLength: 2_000 } as const;

const latitude = { minimum: -90, maximum: 90 } as const;

const longitude = { minimum: -180, maximum: 180 } as const;

const uploadProperties = {
  kind: { type: "string", enum: ["snapshot", "share"] },
  title,
  description: { type: "string", ...description },
  latitude: { type: "number", ...latitude },
  longitude: { type: "number", ...longitude },
} as const;

export type UploadFields = BodyOf<typeof guestUploadSchema>;

export const guestUploadSchema = {
  type: "object",
  additionalProperties: false,
  properties: uploadProperties,
} as const satisfies JsonSchema;

export type GuestUploadQuery = { clientId?: string };

/** In the query: a body with an unknown field is rejected by processes of the previous version. */
export const guestUploadQuery: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: { clientId: { type: "string", pattern: uuidPattern } },
};

export const uploadSchema = {
  type: "object",
  additionalProperties: false,
  properties: { ticketId: id, conferenceId: id, ...uploadProperties },
} as const satisfies JsonSchema;

export type UploadBody = BodyOf<typeof uploadSchema>;

export const changeMediaSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    title,
    description: { type: ["string", "null"], ...description },
    latitude: { type: ["number", "null"], ...latitude },
    longitude: { type: ["number", "null"], ...longitude },
  },
} as const satisfies JsonSchema;

/** All four or none; none means the whole picture. */
export const ocrSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    left: { type: "integer", minimum: 0, maximum: 100_000 },
    top: { type: "integer", minimum: 0, maximum: 100_000 },
    width: { type: "integer", minimum: 1, maximum: 100_000 },
    height: { type: "integer", minimum: 1, maximum: 100_000 },
  },
} as const satisfies JsonSchema;

const recordingType = {
  type: "string",
  maxLength: 100,
  pattern: "^ *[Vv][Ii][Dd][Ee][Oo]/([Ww][Ee][Bb][Mm]|[Mm][Pp]4) *(;.*)?$",
  rule: "video/webm or video/mp4, with or without codecs",
} as const;

export const startRecordingSchema = {
  type: "object",
  additionalProperties: false,
  required: ["type"],
  properties: { type: recordingType, title },
} as const satisfies JsonSchema;

export const recordingParams = idParams("recordingId");

export const chunkParams = {
  type: "object",
  required: ["recordingId", "number"],
  properties: { recordingId: id, number: { type: "integer", minimum: 0, maximum: 99_999 } },
} as const satisfies JsonSchema;

export const finalizeSchema = {
  type: "object",
  additionalProperties: false,
  required: ["chunks"],
  properties: { chunks: { type: "integer", minimum: 1, maximum: 100_000 } },
} as const satisfies JsonSchema;

export const recordingSchema: JsonSchema = {
  title: "Recording",
  ...object({ id, state, type: text, chunks: count, bytes: count }),
};

export const chunkSchema: JsonSchema = {
  title: "RecordingChunk",
  ...object({ number: count, bytes: count }),
};

function listOf(schemaTitle: string, items: JsonSchema): JsonSchema {
  return {
    title: schemaTitle,
    ...object({ total: count, data: { type: "array", items } }),
  };
}

function object(properties: Record<string, unknown>, optional: readonly string[] = []) {
  return {
    type: "object",
    additionalProperties: false,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    properties,
  };
}
