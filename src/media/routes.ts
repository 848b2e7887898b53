import { missingParameter } from "../contracts/problems.ts";
import { parseRange, fileHeaders } from "../http/file-answers.ts";
import { created, noContent, ok, route, type Route } from "../http/route.ts";
import { scopeOf } from "../http/authorize.ts";
import { maxFileBytes } from "./file-types.ts";
import {
  mediaListRoutes,
  requireParent,
  type MediaListRoutesDeps,
  parseParent,
  parseRectangle,
} from "./list-routes.ts";
import type { Ocr, Rectangle } from "./ocr.ts";
import { presentMedia, readFailed } from "./model.ts";
import * as schema from "./schema.ts";
import { parseGeoloc, type MediaChange, type MediaService } from "./service.ts";
import type { Uploads } from "./upload.ts";

export type MediaRoutesDeps = MediaListRoutesDeps &
  Readonly<{ media: MediaService; uploads: Uploads; ocr: Ocr }>;

type MediaParams = { mediaId: number };

const common = { limit: "api" } as const;

const ofMedia = { ...common, family: "platform", params: schema.mediaParams } as const;

export function mediaRoutes(deps: MediaRoutesDeps): Route[] {
  return [
    uploadRoute(deps),
    ...mediaListRoutes(deps),
    getRoute(deps),
    changeRoute(deps),
    removeRoute(deps),
    downloadRoute(deps),
    ocrRoute(deps),
  ];
}

function uploadRoute(deps: MediaRoutesDeps): Route {
  return route<unknown, unknown, schema.UploadBody>({
    ...common,
    method: "POST",
    path: "/medias",
    operationId: "api.v3.medias.create",
    summary: "Add a file to a ticket or a conference",
    permission: "media.write",
    family: "platform",
    transport: "multipart",
    maxBodyBytes: maxFileBytes,
    body: schema.uploadSchema,
    problems: [
      "not_found",
      "forbidden",
      "quota_reached",
      "too_large",
      "unsupported_media_type",
      "gone",
      "dependency_down",
    ],
    answer: { status: 201, schema: schema.mediaSchema },
    handle: async (request) => {
      const { body, caller, upload: file } = request;
      const parent = parseParent(body);
      if (parent === undefined) {
        throw missingParameter("ticketId", "Give a ticketId or a conferenceId.");
      }
      if (file === undefined) {
        throw missingParameter("file");
      }
      const { conversationId } = await requireParent(deps, scopeOf(request), parent);
      const media = await deps.uploads.upload({
        enterpriseId: caller.enterpriseId,
        parent,
        conversationId,
        kind: body.kind ?? "share",
        owner: { userId: caller.userId, name: caller.login },
        by: "agent",
        title: body.title,
        description: body.description ?? null,
        geoloc: parseGeoloc(body.latitude, body.longitude),
        file,
      });
      return created(presentMedia(media, deps.urls), `/api/medias/${media.id}`);
    },
  });
}

function getRoute({ media, urls }: MediaRoutesDeps): Route {
  return route<MediaParams>({
    ...ofMedia,
    method: "GET",
    path: "/medias/{mediaId}",
    operationId: "api.v3.medias.get",
    summary: "Read the metadata of a file",
    permission: "media.read",
    answer: { status: 200, schema: schema.mediaSchema },
    handle: async (request) => {
      const found = await media.get(scopeOf(request), request.params.mediaId);
      return ok(presentMedia(found, urls));
    },
  });
}

function changeRoute({ media, urls }: MediaRoutesDeps): Route {
  return route<MediaParams, unknown, MediaChange>({
    ...ofMedia,
    method: "PATCH",
    path: "/medias/{mediaId}",
    operationId: "api.v3.medias.update",
    summary: "Change title, description or position of a file",
    permission: "media.write",
    body: schema.changeMediaSchema,
    answer: { status: 200, schema: schema.mediaSchema },
    handle: async (request) => {
      const { params, body } = request;
      const changed = await media.change(scopeOf(request), params.mediaId, body);
      return ok(presentMedia(changed, urls));
    },
  });
}

function removeRoute({ media }: MediaRoutesDeps): Route {
  return route<MediaParams>({
    ...ofMedia,
    method: "DELETE",
    path: "/medias/{mediaId}",
    operationId: "api.v3.medias.delete",
    summary: "Delete a file",
    permission: "media.delete",
    answer: { status: 204 },
    handle: async (request) => {
      await media.remove(scopeOf(request), request.params.mediaId);
      return noContent;
    },
  });
}

/** A range outside the file gets the whole file: servers may ignore ranges. */
function downloadRoute({ media }: MediaRoutesDeps): Route {
  return route<MediaParams>({
    ...ofMedia,
    method: "GET",
    path: "/medias/{mediaId}/download",
    operationId: "api.v3.medias.download",
    summary: "Download a file, or a range of it",
    permission: "media.read",
    answer: { status: 200, produces: ["*/*"] },
    handle: async (request) => {
      const found = await media.get(scopeOf(request), request.params.mediaId);
      const file = { ...found, type: found.mimeType };
      const headers = fileHeaders(file);
      const wanted = parseRange(request, { bytes: found.bytes, etag: headers.ETag });
      const range = wanted === "unsatisfiable" ? undefined : wanted;
      const { stream } = await media.open(found, range);
      return {
        status: range === undefined ? 200 : 206,
        content: { type: found.mimeType, data: stream, toFault: readFailed },
        headers: fileHeaders(file, range),
      };
    },
  });
}

function ocrRoute({ ocr }: MediaRoutesDeps): Route {
  return route<MediaParams, unknown, Partial<Rectangle>>({
    ...ofMedia,
    method: "POST",
    path: "/medias/{mediaId}/ocr",
    operationId: "api.v3.medias.ocr",
    summary: "Recognize the text in a picture of a ticket; the result is an event",
    permission: "media.write",
    body: schema.ocrSchema,
    problems: ["conflict", "unsupported_media_type"],
    answer: { status: 202 },
    handle: async (request) => {
      await ocr.order(scopeOf(request), request.params.mediaId, parseRectangle(request.body));
      return { status: 202 };
    },
  });
}
