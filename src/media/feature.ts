import { createMediaCleanup } from "./cleanup.ts";
import { guestMediaRoutes } from "./guest-routes.ts";
import { createOcr, createOcrTasks } from "./ocr.ts";
import type { OcrEngine } from "./ocr-engine.ts";
import { hasFile, readFailed, type MediaDeps, type MediaUrls } from "./model.ts";
import { createRecordings } from "./recordings.ts";
import { createRecordingTasks } from "./recording-tasks.ts";
import { mediaRoutes } from "./routes.ts";
import { createMediaService, type MediaService } from "./service.ts";
import { createUploads } from "./upload.ts";
import type { Scope } from "../contracts/permissions.ts";
import type { Readable } from "node:stream";
import type { ByteRange } from "../platform/blobs/store.ts";
import { problem } from "../contracts/problems.ts";

export type MediaFeatureDeps = MediaDeps & Readonly<{ urls: MediaUrls; ocrEngine: OcrEngine }>;

export type MediaFeature = ReturnType<typeof createMediaFeature>;

/** Wires the feature: routes, tasks and cleanup. */
export function createMediaFeature(deps: MediaFeatureDeps) {
  const { db, parents, urls, ocrEngine } = deps;
  const media = createMediaService(deps);
  const uploads = createUploads(deps);
  return {
    routes: mediaRoutes({ media, uploads, ocr: createOcr(deps), parents, urls }),
    guestRoutes: guestMediaRoutes({
      ...{ db, uploads, recordings: createRecordings(deps), urls },
      recordingConsent: deps.recordingConsent,
    }),
    tasks: { ...createRecordingTasks(deps), ...createOcrTasks(deps, ocrEngine) },
    cleanup: createMediaCleanup(deps),
    /** For `createAttachments` of `src/pages/attachments.ts`. */
    attachments: { ...createAttachmentPorts(media), isSigned: urls.isSigned },
  };
}

/** The ports of `src/pages/attachments.ts`. */
function createAttachmentPorts(media: MediaService) {
  return {
    find: async (hash: string) => {
      const found = await media.findByHash(hash);
      if (found === undefined) {
        return undefined;
      }
      if (found.deletedAt !== null) {
        return "gone" as const;
      }
      const open = async (range?: ByteRange): Promise<Readable> =>
        (await media.open(found, range)).stream;
      const file = { ...found, type: found.mimeType, open, toFault: readFailed };
      return hasFile(found) ? file : undefined;
    },
    /** Throws 404 for another enterprise's file, 403 if it is out of reach. */
    requireReadable: async (reader: Scope, hash: string): Promise<void> => {
      const found = await media.findByHash(hash);
      if (found?.enterpriseId !== reader.enterpriseId) {
        throw problem("not_found", "The file was not found.");
      }
      await media.get(reader, found.id);
    },
  };
}
