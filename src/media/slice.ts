import { createAttachmentPorts } from "./attachments.ts";
import { createMediaCleanup } from "./cleanup.ts";
import { guestMediaRoutes } from "./guest-routes.ts";
import { createOcr, createOcrTasks } from "./ocr.ts";
import type { OcrEngine } from "./ocr-engine.ts";
import type { MediaDeps } from "./ports.ts";
import { createRecordings } from "./recordings.ts";
import { createRecordingTasks } from "./recording-tasks.ts";
import { mediaRoutes } from "./routes.ts";
import { createMediaService } from "./service.ts";
import type { MediaUrls } from "./signed-url.ts";
import { createUploads } from "./upload.ts";

export type MediaSliceDeps = MediaDeps & Readonly<{ urls: MediaUrls; ocrEngine: OcrEngine }>;

export type MediaSlice = ReturnType<typeof createMediaSlice>;

/** The slice put together: what it answers, what it does later, and what it cleans up. */
export function createMediaSlice(deps: MediaSliceDeps) {
  const { db, parents, urls, ocrEngine } = deps;
  const media = createMediaService(deps);
  const uploads = createUploads(deps);
  return {
    routes: mediaRoutes({ media, uploads, ocr: createOcr(deps), parents, urls }),
    guestRoutes: guestMediaRoutes({ db, uploads, recordings: createRecordings(deps), urls }),
    tasks: { ...createRecordingTasks(deps), ...createOcrTasks(deps, ocrEngine) },
    cleanup: createMediaCleanup(deps),
    /** For `createAttachments` of `src/http/attachments.ts`. */
    attachments: { ...createAttachmentPorts(media), isSigned: urls.isSigned },
  };
}
