/**
 * The progress of a recording: the stored chunks on the platform, and the chunks that its page
 * still keeps.
 */
import { expect } from "chai";
import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import type { Page } from "playwright-core";
import type { Db } from "../../src/platform/db/pool.ts";
import { eventually } from "./eventually.ts";
import type { RestClient } from "./rest-client.ts";

/** A chunk has a duration of two seconds. */
const slow = { timeoutMs: 20_000 };

/** The last chunk is uploaded, then the file is made of all chunks. */
const complete = { timeoutMs: 40_000 };

/** Waits for the only incomplete recording, of the ticket or of all. Returns its id. */
export function runningRecording(rest: RestClient, ticketId?: number): Promise<number> {
  const ofTicket = ticketId === undefined ? "" : `&ticketId=${ticketId}`;
  return eventually(async () => {
    const { body } = await rest.succeed(`GET /medias?status=inprogress,uncompleted${ofTicket}`);
    expect(body["total"]).to.equal(1);
    return (body["data"] as { id: number }[])[0]?.id ?? 0;
  });
}

/** Waits until the file of this recording is complete. Returns its URL. */
export function recordingUrl(rest: RestClient, id: number): Promise<string> {
  return eventually(async () => {
    const { body } = await rest.succeed(`GET /medias/${id}`);
    expect(body["status"], "the status of the recording").to.equal("completed");
    return String(body["url"]);
  }, complete);
}

/** Script for a page: keeps what it records, as `window.recorded` once the recording has ended. */
export const watchRecorder = `(() => {
  const Original = window.MediaRecorder;
  window.MediaRecorder = class extends Original {
    constructor(...options) {
      super(...options);
      const chunks = [];
      this.addEventListener("dataavailable", ({ data }) => chunks.push(data));
      this.addEventListener("stop", () => (window.recorded = chunks));
    }
  };
})()`;

/**
 * The duration of what the browser has recorded, after its end. On a busy machine that is less than
 * the time since the start: the browser encodes later than it records, and at the end it drops what
 * it has not encoded yet.
 */
export async function recordedSeconds(page: Page): Promise<number> {
  await eventually(() => page.evaluate<boolean>("window.recorded !== undefined"));
  return secondsOf(await page.evaluate<string>(hexOf("window.recorded")));
}

/** Script that returns the content of these blobs. */
function hexOf(blobs: string): string {
  return `new Blob(${blobs}).arrayBuffer().then((all) =>
    Array.from(new Uint8Array(all), (byte) => byte.toString(16).padStart(2, "0")).join(""))`;
}

/** The duration of this recording. */
async function secondsOf(hex: string): Promise<number> {
  const source = new BufferSource(Buffer.from(hex, "hex"));
  using input = new Input({ formats: ALL_FORMATS, source });
  return await input.computeDuration();
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

/** Runs a script with the store of the chunks that this page could not upload, as `chunks`. */
function readKept<T>(page: Page, request: string, present = "result"): Promise<T> {
  return page.evaluate<T>(`new Promise((resolve, reject) => {
    const opening = indexedDB.open("sightline-recordings");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const chunks = opening.result.transaction("chunks").objectStore("chunks");
      const reading = chunks.${request};
      reading.onsuccess = () => {
        opening.result.close();
        const { result } = reading;
        resolve(${present});
      };
    };
  })`);
}

/** Waits until the page keeps this many chunks that it could not upload. */
export async function seeKeptChunks(page: Page, count: number): Promise<void> {
  await eventually(async () => (await readKept<number>(page, "count()")) >= count, slow);
}

/** The duration of what the kept chunks contain. */
export async function keptSeconds(page: Page): Promise<number> {
  const blobs = "result.map(({ data }) => data)";
  return secondsOf(await readKept<string>(page, "getAll()", hexOf(blobs)));
}

/** Waits until the kept chunks contain this many seconds. */
export async function seeKeptSeconds(page: Page, seconds: number): Promise<void> {
  await eventually(async () => {
    expect(await keptSeconds(page), "recorded seconds").to.be.at.least(seconds);
  }, slow);
}
