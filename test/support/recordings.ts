/**
 * The progress of a recording: the stored chunks on the platform, and the chunks that its page
 * still keeps.
 */
import { expect } from "chai";
import type { Page } from "playwright-core";
import type { Db } from "../../src/platform/db/pool.ts";
import { eventually } from "./eventually.ts";
import type { RestClient } from "./rest-client.ts";

/** A chunk has a duration of two seconds. */
const slow = { timeoutMs: 20_000 };

/** Waits for the only incomplete recording, of the ticket or of all. Returns its id. */
export function runningRecording(rest: RestClient, ticketId?: number): Promise<number> {
  const ofTicket = ticketId === undefined ? "" : `&ticketId=${ticketId}`;
  return eventually(async () => {
    const { body } = await rest.succeed(`GET /medias?status=inprogress,uncompleted${ofTicket}`);
    expect(body["total"]).to.equal(1);
    return (body["data"] as { id: number }[])[0]?.id ?? 0;
  });
}

/** The URL of the newest complete recording, of the ticket or of all. */
export async function recordingUrl(
  rest: RestClient,
  type: "ticket_record" | "conf_record",
  ticketId?: number,
): Promise<string | undefined> {
  const ofTicket = ticketId === undefined ? "" : `&ticketId=${ticketId}`;
  const { body } = await rest.succeed(`GET /medias?status=completed${ofTicket}`);
  const medias = body["data"] as { source_type: string; url: string }[];
  return medias.find(({ source_type }) => source_type === type)?.url;
}

/** The number of stored chunks of a recording. */
export async function storedChunks(db: Db, mediaId: number): Promise<number> {
  const rows = await db("recording_chunks").where({ media_id: mediaId }).whereNotNull("stored_at");
  return rows.length;
}

/** Waits until the platform has this many chunks of the recording. */
export async function seeStoredChunks(db: Db, mediaId: number, count: number): Promise<void> {
  await eventually(async () => (await storedChunks(db, mediaId)) >= count, slow);
}

/** Waits until the page keeps this many chunks that it could not upload. */
export async function seeKeptChunks(page: Page, count: number): Promise<void> {
  const kept = (): Promise<number> =>
    page.evaluate<number>(`new Promise((resolve, reject) => {
      const opening = indexedDB.open("sightline-recordings");
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const counting = opening.result.transaction("chunks").objectStore("chunks").count();
        counting.onsuccess = () => {
          opening.result.close();
          resolve(counting.result);
        };
      };
    })`);
  await eventually(async () => (await kept()) >= count, slow);
}
