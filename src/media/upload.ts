import { invalidParameter, problem } from "../contracts/problems.ts";
import { usedMediaBytesSql } from "../contracts/quotas.ts";
import type { Geoloc, TimelineEvent } from "../contracts/session-events.ts";
import { type Trx, rowsOf } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { truncate } from "../http/values.ts";
import {
  fileKey,
  type Media,
  mediaCreated,
  type MediaDeps,
  type MediaOwner,
  mediaTypeOf,
  mediaUpdated,
  type ParentRef,
  storeFailed,
} from "./model.ts";
import { checkFileSize, checkFileType, type UploadedFile } from "./file-types.ts";
import { findTicketPosition } from "./rows.ts";
import { findUpload, insertMedia, lockMedia, reopenCleanup, updateMedia } from "./store.ts";

export type UploadKind = "snapshot" | "share";

export type UploadOrder = Readonly<{
  enterpriseId: number;
  parent: ParentRef;
  conversationId: number;
  kind: UploadKind;
  owner: MediaOwner;
  /** The sender: staff, a guest with a link, or an expert, whose files are in no timeline. */
  by: "agent" | "guest" | "expert";
  title: string | undefined;
  description: string | null;
  geoloc: Geoloc | null;
  file: UploadedFile & Readonly<{ bytes: number }>;
  /** A repeated upload, which has the same key, returns the file of the first. */
  clientKey?: string | undefined;
}>;

export type Uploads = {
  /** Stores a file. Throws 413, 415, or 403 for the quota before anything is written. */
  upload(order: UploadOrder): Promise<Media>;
};

/**
 * Writes the row, then the file, then completes the row. A process killed after the row leaves it
 * `inprogress`, and the cleanup ends it; killed after the file, the cleanup removes the file too.
 * There is never a file without a row, nor a `completed` row without a durable file.
 */
export function createUploads(deps: MediaDeps): Uploads {
  const { db, clock, ids, blobs, outbox, faultPoint } = deps;
  const { complete, giveUp } = createCompletion(deps);

  const begin = (order: UploadOrder, mimeType: string): Promise<Media> =>
    inTransaction(db, async (trx) => {
      const { enterpriseId, file, conversationId, clientKey } = order;
      const repeated = clientKey === undefined ? undefined : { conversationId, clientKey };
      const earlier = repeated && (await findUpload(trx, repeated));
      if (earlier !== undefined) {
        return earlier;
      }
      await requireQuota(trx, { enterpriseId, bytes: file.bytes });
      const filename = safeName(file.filename);
      const media = await insertMedia(trx, {
        ...order,
        hash: ids.uuid(),
        sourceType: sourceTypeOf(order),
        title: order.title ?? filename,
        filename,
        mimeType,
        geoloc: await positionOf(trx, order),
        receivedBytes: file.bytes,
        at: clock.now(),
      });
      await outbox.append(trx, [mediaCreated(media)]);
      return media;
    });

  return {
    upload: async (order) => {
      const mimeType = await checkFile(order);
      const begun = await begin(order, mimeType);
      if (begun.deletedAt !== null) {
        throw problem("gone", "The file was deleted.");
      }
      if (begun.state === "completed") {
        return begun; // stored by an earlier attempt, whose answer was lost
      }
      faultPoint("media.afterRow");
      try {
        await blobs.put(fileKey({ ...begun, state: "completed" }), { path: order.file.path });
      } catch (cause) {
        await giveUp(begun);
        throw storeFailed("The file could not be stored.", cause);
      }
      faultPoint("media.afterStore");
      try {
        return await complete(order, begun);
      } catch (thrown) {
        await reopenCleanup(db, begun);
        throw thrown;
      }
    },
  };
}

/** Completes or fails an upload. */
function createCompletion({ db, clock, outbox, tickets, hasOpenSession }: MediaDeps) {
  const writeTicketTimeline = async (trx: Trx, order: UploadOrder, media: Media): Promise<void> => {
    const { enterpriseId, conversationId, parent } = order;
    const ref = { enterpriseId, ticketId: parent.id };
    const entries = timelineEventsOf(order, media);
    const isFromCustomer = order.by === "guest" && order.kind === "share";
    if (isFromCustomer && !(await hasOpenSession(trx, { enterpriseId, conversationId }))) {
      await tickets.recordCustomerInput(trx, ref, media.modifiedAt, entries);
      return;
    }
    const ticket = entries.length === 0 ? undefined : await tickets.lock(trx, ref);
    if (ticket !== undefined) {
      await tickets.writeTimeline(trx, ticket, entries);
    }
  };

  const complete = (order: UploadOrder, begun: Media): Promise<Media> =>
    inTransaction(db, async (trx) => {
      const isOfTicket = order.parent.name === "ticket";
      if (isOfTicket) {
        // Lock order: the ticket before the media.
        await tickets.lock(trx, { enterpriseId: order.enterpriseId, ticketId: order.parent.id });
      }
      const now = await lockMedia(trx, begun);
      if (now?.state === "completed") {
        return now; // by another attempt
      }
      if (now?.state === "error") {
        throw storeFailed("Another attempt to store the file failed.", undefined);
      }
      if (now?.state !== "inprogress") {
        throw problem("gone", "The file was deleted during the upload.");
      }
      const media = await updateMedia(trx, begun, {
        at: clock.now(),
        state: "completed",
        bytes: order.file.bytes,
        receivedBytes: 0,
      });
      await outbox.append(trx, [mediaUpdated(media)]);
      if (isOfTicket) {
        await writeTicketTimeline(trx, order, media);
      }
      return media;
    });

  const abandon = (begun: Media): Promise<void> =>
    inTransaction(db, async (trx) => {
      const now = await lockMedia(trx, begun);
      if (now?.state === "inprogress") {
        const error = "The file could not be stored";
        const failed = { at: clock.now(), state: "error", error, receivedBytes: 0 } as const;
        await outbox.append(trx, [mediaUpdated(await updateMedia(trx, begun, failed))]);
      }
    });

  return { complete, giveUp: abandon };
}

/**
 * The timeline shows pictures only. A picture taken on the customer's device counts as taken by the
 * agent.
 */
function timelineEventsOf({ kind, by }: UploadOrder, media: Media): TimelineEvent[] {
  if (by === "expert" || mediaTypeOf(media.mimeType) !== "image") {
    return [];
  }
  const attributes = { mediaId: media.id };
  return kind === "snapshot"
    ? [{ eventType: "media.pictureTaken", source: "agent", attributes }]
    : [{ eventType: "media.pictureSent", source: by, attributes }];
}

/**
 * Throws 403 if the enterprise's files plus `bytes` exceed the quota. Concurrent callers of an
 * enterprise with a quota wait for each other's transactions, so that they cannot exceed it
 * together.
 */
export async function requireQuota(
  trx: Trx,
  { enterpriseId, bytes }: { enterpriseId: number; bytes: number },
): Promise<void> {
  const [limited] = await rowsOf<{ max_media_bytes: number }>(
    trx,
    `SELECT max_media_bytes FROM enterprises
      WHERE id = ? AND max_media_bytes IS NOT NULL FOR NO KEY UPDATE`,
    [enterpriseId],
  );
  if (limited === undefined) {
    return;
  }
  const [kept] = await rowsOf<{ bytes: number }>(trx, `SELECT (${usedMediaBytesSql}) AS bytes`, [
    enterpriseId,
  ]);
  if ((kept?.bytes ?? 0) + bytes > limited.max_media_bytes) {
    throw problem(
      "quota_reached",
      "The storage quota of the enterprise is used up. Delete files, or request a larger quota.",
      {
        details: "Quota max_media_bytes",
      },
    );
  }
}

/** Names that consist only of dots would be taken for folders. */
function safeName(filename: string): string {
  return /^\.*$/u.test(filename) ? "file" : truncate(filename, 255);
}

function sourceTypeOf({ parent, kind }: UploadOrder): Media["sourceType"] {
  return `${parent.name === "ticket" ? "ticket" : "conf"}_${kind}`;
}

/** Snapshots get the customer's last position. */
async function positionOf(trx: Trx, order: UploadOrder): Promise<Geoloc | null> {
  const { enterpriseId, kind, parent, geoloc } = order;
  const isOfCustomer = kind === "snapshot" && parent.name === "ticket";
  return geoloc === null && isOfCustomer
    ? findTicketPosition(trx, { enterpriseId, ticketId: parent.id })
    : geoloc;
}

async function checkFile({ file, kind }: UploadOrder): Promise<string> {
  if (file.bytes === 0) {
    throw invalidParameter("file", "empty", "The file is empty.");
  }
  const type = await checkFileType(file);
  if (kind === "snapshot" && mediaTypeOf(type) !== "image") {
    throw problem("unsupported_media_type", "A snapshot must be an image.", {
      details: "Parameter file",
    });
  }
  checkFileSize(type, file.bytes);
  return type;
}
