import type { Scope } from "../contracts/permissions.ts";
import { problem } from "../contracts/problems.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { RunningTask, TaskHandler, TaskHandlers } from "../platform/tasks/task.ts";
import { fileKey, type Media, type MediaDeps, mediaTypeOf } from "./model.ts";
import type { OcrEngine, Rectangle } from "./ocr-engine.ts";
import { requireMedia } from "./service.ts";
import { findMedia, lockMedia } from "./store.ts";

export type { Rectangle } from "./ocr-engine.ts";

export type Ocr = {
  /** Requests the text of a picture, which is added to the ticket's timeline. */
  order(scope: Scope, id: number, rectangle: Rectangle | undefined): Promise<void>;
};

export function createOcr({ db, clock, ids, tasks }: MediaDeps): Ocr {
  return {
    order: async (scope, id, rectangle) => {
      requireReadable(requireMedia(await findMedia(db, scope, id), id));
      await inTransaction(db, async (trx) => {
        const media = await lockMedia(trx, { enterpriseId: scope.enterpriseId, id });
        if (media === undefined) {
          throw problem("not_found", `Media ${id} was not found.`);
        }
        requireReadable(media);
        const request = ids.uuid();
        await setOcrRequest(trx, id, request);
        await tasks.plan(trx, [
          {
            kind: "media.ocr",
            key: `media:${id}`,
            enterpriseId: scope.enterpriseId,
            dueAt: clock.now(),
            data: { mediaId: id, request, ...(rectangle === undefined ? {} : { rectangle }) },
          },
        ]);
      });
    },
  };
}

/** Formats that the OCR engine supports. */
const readableTypes = new Set(["image/jpeg", "image/png", "image/webp", "image/bmp", "image/gif"]);

function requireReadable(media: Media): void {
  if (media.parent.name !== "ticket") {
    throw problem("conflict", "Text recognition is available for pictures of tickets only.");
  }
  if (mediaTypeOf(media.mimeType) !== "image" || !readableTypes.has(media.mimeType)) {
    throw problem("unsupported_media_type", `Text recognition does not support ${media.mimeType}.`);
  }
  if (media.state !== "completed") {
    throw problem("conflict", `The picture is ${media.state}.`, {
      details: `State ${media.state}`,
    });
  }
}

/** Stores the id of the latest request: of two requests only the later one gets a result. */
async function setOcrRequest(trx: Trx, id: number, request: string): Promise<void> {
  await trx("media").where({ id }).update({ ocr_request: request });
}

export function createOcrTasks(deps: MediaDeps, engine: OcrEngine): TaskHandlers {
  return {
    "media.ocr": createOcrHandler(deps, engine),
  };
}

const maxTextLength = 10_000;

/**
 * Reads first, then claims the request and writes the text in one transaction. A worker that dies
 * in between reads again; a second worker finds the request claimed.
 */
function createOcrHandler({ db, blobs, tickets }: MediaDeps, engine: OcrEngine): TaskHandler {
  const recordText = (task: RunningTask, text: string): Promise<void> =>
    inTransaction(db, async (trx) => {
      const wanted = await findRequestedPicture(trx, task);
      const { enterpriseId } = task;
      const ticket =
        wanted && (await tickets.lock(trx, { enterpriseId, ticketId: wanted.ticketId }));
      if (
        wanted === undefined ||
        !(await completeOcrRequest(trx, wanted.id, task.data["request"]))
      ) {
        return;
      }
      if (ticket !== undefined && text !== "") {
        await tickets.writeTimeline(trx, ticket, [
          { eventType: "media.OCRDone", source: "system", attributes: { text } },
        ]);
      }
    });

  return async (task, signal) => {
    const wanted = await findRequestedPicture(db, task);
    if (wanted === undefined) {
      return { kind: "done" };
    }
    const picture = await blobs.open(fileKey({ ...wanted, state: "completed" }));
    if (picture === undefined) {
      return { kind: "failed", reason: "the picture's file is gone" };
    }
    const rectangle = task.data["rectangle"] as Rectangle | undefined;
    const reading = await engine
      .read({ stream: picture.stream, rectangle, signal })
      .finally(() => picture.stream.destroy());
    await recordText(
      task,
      reading.kind === "text" ? reading.text.trim().slice(0, maxTextLength) : "",
    );
    return reading.kind === "text" ? { kind: "done" } : { kind: "failed", reason: reading.reason };
  };
}

/** The picture, if the request is still current. */
async function findRequestedPicture(
  db: Queryable,
  task: RunningTask,
): Promise<(Pick<Media, "hash" | "id" | "enterpriseId"> & { ticketId: number }) | undefined> {
  const [row] = await rowsOf<{ id: number; hash: string; ticket_id: number }>(
    db,
    `SELECT id, hash, ticket_id FROM media
      WHERE enterprise_id = ? AND id = ? AND ocr_request = ? AND deleted_at IS NULL`,
    [task.enterpriseId, task.data["mediaId"], task.data["request"]],
  );
  return (
    row && {
      id: row.id,
      hash: row.hash,
      enterpriseId: task.enterpriseId,
      ticketId: row.ticket_id,
    }
  );
}

/** True only for the first caller that completes the request. */
async function completeOcrRequest(trx: Trx, id: number, request: unknown): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `UPDATE media SET ocr_request = NULL
      WHERE id = ? AND ocr_request = ? AND deleted_at IS NULL RETURNING id`,
    [id, request],
  );
  return rows.length === 1;
}
