import { hostRoles, participantRoles } from "../contracts/signalling.ts";
import { missingParameter, problem } from "../contracts/problems.ts";
import {
  created,
  guestRoute,
  ok,
  type Answer,
  type Guest,
  type GuestRoute,
} from "../http/route.ts";
import type { Db } from "../platform/db/pool.ts";
import { maxFileBytes } from "./file-types.ts";
import { isRoomOpen } from "./rows.ts";
import {
  type MediaDeps,
  type MediaOwner,
  type MediaUrls,
  type ParentRef,
  presentMedia,
} from "./model.ts";
import { maxChunkBytes, type Recorder, type Recordings, type RecordingView } from "./recordings.ts";
import * as schema from "./schema.ts";
import { parseGeoloc } from "./service.ts";
import { findRoomMedia } from "./store.ts";
import type { UploadOrder, Uploads } from "./upload.ts";

export type GuestMediaRoutesDeps = Readonly<{
  db: Db;
  uploads: Uploads;
  recordings: Recordings;
  urls: Pick<MediaUrls, "sign">;
  recordingConsent: MediaDeps["recordingConsent"];
}>;

const recorderRoute = { roles: hostRoles, limit: "room" } as const;

export function guestMediaRoutes(deps: GuestMediaRoutesDeps): GuestRoute[] {
  return [
    readRoute(deps),
    uploadRoute(deps),
    startRoute(deps),
    chunkRoute(deps),
    finalizeRoute(deps),
  ];
}

/** For a photo or file that somebody in the room shared. */
function readRoute(deps: GuestMediaRoutesDeps): GuestRoute {
  return guestRoute<{ mediaId: number }>({
    method: "GET",
    path: "/guest/medias/{mediaId}",
    operationId: "api.v3.guest.medias.get",
    summary: "Read a file of the room",
    roles: participantRoles,
    limit: "room",
    params: schema.mediaParams,
    problems: ["gone", "not_found"],
    answer: { status: 200, schema: schema.mediaSchema },
    handle: async ({ guest, params }) => {
      await requireOpenRoom(deps, guest);
      const media = await findRoomMedia(deps.db, guest, {
        id: params.mediaId,
        isOfSession: guest.role === "expert",
      });
      if (media === undefined) {
        throw problem("not_found", `Media ${params.mediaId} was not found in this room.`);
      }
      // The customer gave the position to the agent.
      const shown = guest.role === "expert" ? { ...media, geoloc: null } : media;
      return ok(presentMedia(shown, deps.urls));
    },
  });
}

function uploadRoute(deps: GuestMediaRoutesDeps): GuestRoute {
  return guestRoute<unknown, schema.GuestUploadQuery, schema.UploadFields>({
    method: "POST",
    path: "/guest/medias",
    operationId: "api.v3.guest.medias.create",
    summary: "Upload a file or a snapshot from the room",
    roles: participantRoles,
    limit: "guestUpload",
    transport: "multipart",
    maxBodyBytes: maxFileBytes,
    query: schema.guestUploadQuery,
    body: schema.guestUploadSchema,
    problems: ["gone", "quota_reached", "too_large", "unsupported_media_type", "dependency_down"],
    answer: { status: 201, schema: schema.mediaSchema },
    handle: async ({ guest, query, body, upload: file }) => {
      if (file === undefined) {
        throw missingParameter("file");
      }
      if (guest.role === "expert" && body.kind === "snapshot") {
        throw problem("forbidden", "Experts take no photos.");
      }
      await requireOpenRoom(deps, guest);
      const media = await deps.uploads.upload({
        enterpriseId: guest.enterpriseId,
        parent: parentOf(guest),
        conversationId: guest.conversationId,
        kind: body.kind ?? "share",
        owner: ownerOf(guest),
        by: senderOf(guest),
        title: body.title,
        description: body.description ?? null,
        geoloc: parseGeoloc(body.latitude, body.longitude),
        file,
        clientKey: query.clientId,
      });
      return created(presentMedia(media, deps.urls), `/api/medias/${media.id}`);
    },
  });
}

function senderOf({ role, userId }: Guest): UploadOrder["by"] {
  if (role === "expert") {
    return "expert";
  }
  return userId === null ? "guest" : "agent";
}

function startRoute(deps: GuestMediaRoutesDeps): GuestRoute {
  return guestRoute<unknown, unknown, { type: string; title?: string }>({
    ...recorderRoute,
    method: "POST",
    path: "/rtc/recordings",
    operationId: "api.v3.recordings.create",
    summary: "Start a recording",
    body: schema.startRecordingSchema,
    problems: ["gone", "conflict", "quota_reached"],
    answer: { status: 201, schema: schema.recordingSchema },
    handle: async ({ guest, body }): Promise<Answer> => {
      await requireOpenRoom(deps, guest);
      if (!(await deps.recordingConsent.mayStart(deps.db, guest))) {
        throw noConsent();
      }
      const recording = await deps.recordings.start(recorderOf(guest), body);
      return created(presentRecording(recording), `/api/medias/${recording.media.id}`);
    },
  });
}

async function requireOpenRoom({ db }: GuestMediaRoutesDeps, guest: Guest): Promise<void> {
  if (!(await isRoomOpen(db, guest))) {
    throw problem("gone", "The room is closed.");
  }
}

function noConsent(): Error {
  return problem("conflict", "Someone in the room has not agreed to be recorded.", {
    details: "Reason consent",
  });
}

function chunkRoute({ db, recordings, recordingConsent }: GuestMediaRoutesDeps): GuestRoute {
  return guestRoute<{ recordingId: number; number: number }>({
    ...recorderRoute,
    method: "PUT",
    path: "/rtc/recordings/{recordingId}/chunks/{number}",
    operationId: "api.v3.recordings.chunk",
    summary: "Upload a chunk of a recording; numbers start at 0, in any order, repeatable",
    transport: "bytes",
    accepts: ["application/octet-stream", "video/webm", "video/mp4"],
    maxBodyBytes: maxChunkBytes,
    params: schema.chunkParams,
    problems: ["not_found", "conflict", "too_large", "quota_reached"],
    answer: { status: 200, schema: schema.chunkSchema },
    handle: async ({ guest, params, bytes: data = Buffer.alloc(0) }) => {
      if (!(await recordingConsent.mayContinue(db, guest))) {
        throw noConsent();
      }
      const { recordingId, number } = params;
      return ok(await recordings.putChunk(recorderOf(guest), recordingId, { number, data }));
    },
  });
}

function finalizeRoute({ recordings }: GuestMediaRoutesDeps): GuestRoute {
  return guestRoute<{ recordingId: number }, unknown, { chunks: number }>({
    ...recorderRoute,
    method: "POST",
    path: "/rtc/recordings/{recordingId}/finalize",
    operationId: "api.v3.recordings.finalize",
    summary: "Complete a recording after its last chunk",
    params: schema.recordingParams,
    body: schema.finalizeSchema,
    problems: ["not_found", "conflict"],
    answer: { status: 202, schema: schema.recordingSchema },
    handle: async ({ guest, params, body }): Promise<Answer> => {
      const { recordingId } = params;
      const recording = await recordings.finalize(recorderOf(guest), recordingId, body.chunks);
      return { status: 202, body: presentRecording(recording) };
    },
  });
}

function recorderOf(guest: Guest): Recorder {
  return {
    enterpriseId: guest.enterpriseId,
    conversationId: guest.conversationId,
    parent: parentOf(guest),
    owner: ownerOf(guest),
  };
}

function parentOf({ ticketId, conferenceId }: Guest): ParentRef {
  return ticketId === null
    ? { name: "conference", id: conferenceId ?? 0 }
    : { name: "ticket", id: ticketId };
}

function ownerOf({ userId, name }: Guest): MediaOwner {
  return { userId, name };
}

function presentRecording({ media, chunks, bytes }: RecordingView) {
  return {
    id: media.id,
    state: media.state,
    type: media.mimeType,
    chunks,
    bytes,
  };
}
