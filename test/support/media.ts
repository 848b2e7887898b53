import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import { expect } from "chai";
import { findConference } from "../../src/conferences/store.ts";
import { requireReach as requireConference } from "../../src/conferences/access.ts";
import type { WebhookBody } from "../../src/contracts/events.ts";
import { createAttachments } from "../../src/pages/attachments.ts";
import { createHttpServer, messageClasses } from "../../src/http/http-server.ts";
import type { Guest } from "../../src/http/route.ts";
import {
  createMediaFeature,
  type MediaFeature,
  type MediaFeatureDeps,
} from "../../src/media/feature.ts";
import { createOcrEngine } from "../../src/media/ocr-engine.ts";
import { createMediaUrls } from "../../src/media/model.ts";
import { createOutbox } from "../../src/pipeline/outbox/append.ts";
import { createDiskBlobs } from "../../src/platform/blobs/blobs.ts";
import type { BlobStore } from "../../src/platform/blobs/store.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { createTasks, type RunningTask, type TaskOutcome } from "../../src/platform/tasks/task.ts";
import { findLatestSession } from "../../src/rooms/store.ts";
import { createSessionEvents } from "../../src/session-events/service.ts";
import { createCustomerActions } from "../../src/tickets/customer.ts";
import { requireReach as requireTicket, findTicket } from "../../src/tickets/store.ts";
import { asGuest, logInto, startApi, testBaseUrl, testGuest, type LogLine } from "./api.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { testKey } from "./secret-box.ts";
import {
  aTicketFixture,
  authenticateByLogin,
  type TestAnswer,
  type TestUser,
  type TicketFixture,
} from "./tickets.ts";

/** A PNG of one pixel. */
export const tinyPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

export function readFixture(name: string): Promise<Buffer> {
  return readFile(join("test/fixtures/media", name));
}

/** A recording of two seconds, in the chunks that a browser's MediaRecorder emitted. */
export function recordedChunks(): Promise<Buffer[]> {
  return Promise.all([0, 1, 2, 3].map((n) => readFixture(`recording-${n}.webm.part`)));
}

/** A recording, and noise behind it that keeps the remuxer busy for ever. */
export async function endlessRecording(): Promise<Buffer> {
  const noise = Array.from({ length: 100 }, (_, index) => ((index * 2_654_435_761) >>> 13) & 255);
  return Buffer.concat([...(await recordedChunks()), Buffer.from(noise)]);
}

type File = { data: Uint8Array; name?: string; type?: string };

export function aForm(file: File, fields: Record<string, string | number> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, String(value));
  }
  const { data, name = "photo.png", type = "image/png" } = file;
  form.set("file", new Blob([new Uint8Array(data)], { type }), name);
  return form;
}

/** All events of a media in commit order: `create inprogress`. */
export async function mediaEventsOf(db: Db, id: number): Promise<string[]> {
  const rows = await rowsOf<{ body: string }>(
    db,
    "SELECT body FROM events WHERE key = ? ORDER BY id",
    [`media:${id}`],
  );
  return rows.map(({ body }) => {
    const { event, props } = JSON.parse(body) as WebhookBody;
    return `${event} ${String(props["state"])}`;
  });
}

export type MediaCall = {
  as?: TestUser;
  guest?: Partial<Guest>;
  json?: unknown;
  form?: FormData;
  bytes?: Buffer;
  headers?: Record<string, string>;
};

function bodyOf(input: MediaCall): { headers: Record<string, string>; body?: RequestInit["body"] } {
  if (input.json !== undefined) {
    return {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input.json),
    };
  }
  if (input.bytes !== undefined) {
    return { headers: { "content-type": "video/webm" }, body: new Uint8Array(input.bytes) };
  }
  return { headers: {}, ...(input.form === undefined ? {} : { body: input.form }) };
}

async function tokenOf(input: MediaCall): Promise<Record<string, string>> {
  if (input.guest !== undefined) {
    return asGuest(testGuest(input.guest));
  }
  return input.as === undefined ? {} : { authorization: `Bearer ${input.as.login}` };
}

/** The feature on a test's database, wired as in production, with files in a separate folder. */
function createFeature(db: Db, dir: string, changed: Partial<MediaFeatureDeps>) {
  const clock = createTestClock();
  const wake = (): void => undefined;
  const outbox = createOutbox({ ids: randomIds, clock, wake, faultPoint: wake, maxBytes: 262_144 });
  const timeline = createSessionEvents({ db });
  const deps: MediaFeatureDeps = {
    db,
    clock,
    ids: randomIds,
    blobs: createDiskBlobs({ dir }),
    outbox,
    tasks: createTasks({ clock, wake }),
    recordingConsent: { mayStart: async () => true, mayContinue: async () => true },
    faultPoint: wake,
    log: { error: wake },
    tickets: createCustomerActions({ clock, timeline, outbox }),
    parents: {
      requireTicket: async (scope, id) => requireTicket(await findTicket(db, scope, id), id),
      requireConference: async (scope, id) =>
        requireConference(await findConference(db, scope, id), id),
    },
    hasOpenSession: async (queryable, room) =>
      (await findLatestSession(queryable, room))?.endedAt === null,
    urls: createMediaUrls({ secretKey: testKey, baseUrl: testBaseUrl, clock }),
    ocrEngine: createOcrEngine(),
    ...changed,
  };
  return { clock, deps, feature: createMediaFeature(deps) };
}

async function serveAttachments(db: Db, feature: MediaFeature, log: LogLine[]) {
  const app = express();
  app.use(
    createAttachments({
      ...feature.attachments,
      authenticate: authenticateByLogin(db),
      baseUrl: testBaseUrl,
      log: logInto(log),
    }),
  );
  const server = createHttpServer(app, { messages: messageClasses(app) });
  const port = await server.listen(0, "127.0.0.1");
  return { url: `http://127.0.0.1:${port}`, close: () => server.close(1_000) };
}

type Opened = {
  feature: MediaFeature;
  clock: TestClock;
  deps: MediaFeatureDeps;
  fixture: TicketFixture;
  url: string;
  filesUrl: string;
  close: () => Promise<void>;
};

async function open(db: Db, changed: Partial<MediaFeatureDeps>): Promise<Opened> {
  const dir = await mkdtemp(join(tmpdir(), "sightline-media-test-"));
  const { clock, deps, feature } = createFeature(db, dir, changed);
  const api = await startApi({
    routes: [...feature.routes, ...feature.guestRoutes],
    authenticate: authenticateByLogin(db),
  });
  const files = await serveAttachments(db, feature, api.log);
  return {
    feature,
    clock,
    deps,
    fixture: await aTicketFixture(db),
    url: api.url,
    filesUrl: files.url,
    close: async () => {
      await api.close();
      await files.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The media operations of the surrounding `describe` over HTTP, on its database. */
export function useMedia(database: TestDatabase, changed: Partial<MediaFeatureDeps> = {}) {
  let opened: Opened | undefined;
  before("serve the media operations", async () => {
    opened = await open(database.db, changed);
  });
  after("stop serving", async () => {
    await opened?.close();
  });
  const get = (): Opened => {
    if (opened === undefined) {
      throw new Error("The API exists inside tests and hooks only");
    }
    return opened;
  };

  const call = async (operation: string, input: MediaCall = {}): Promise<TestAnswer> => {
    const [method = "GET", path = ""] = operation.split(" ");
    const { headers, body } = bodyOf(input);
    const response = await fetch(`${get().url}/api${path}`, {
      method,
      headers: { ...headers, ...(await tokenOf(input)), ...input.headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    const parsed = isJson && text !== "" ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, body: parsed };
  };

  const upload = async (
    file: File,
    fields: Record<string, string | number>,
    as: TestUser = get().fixture.admin,
  ) => call("POST /medias", { as, form: aForm(file, fields) });

  return {
    get fixture() {
      return get().fixture;
    },
    get feature() {
      return get().feature;
    },
    get clock() {
      return get().clock;
    },
    get blobs(): BlobStore {
      return get().deps.blobs;
    },
    get deps() {
      return get().deps;
    },
    call,
    upload,
    /** A completed picture of this ticket or conference. Returns its id. */
    aPicture: async (parent: Record<string, string | number>): Promise<number> => {
      const { status, body, text } = await upload({ data: tinyPng }, parent);
      expect(status, text).to.equal(201);
      return body.id;
    },
    /** Requests a public URL like a browser. */
    fetchFile: (url: string, init: RequestInit = {}): Promise<Response> =>
      fetch(url.replace(testBaseUrl, get().filesUrl), init),
    events: (id: number) => mediaEventsOf(database.db, id),
    /** Reopens the ended tasks of a media, as if their end had not been stored. */
    reopenTasks: async (id: number): Promise<void> => {
      await database
        .db("tasks")
        .where({ key: `media:${id}` })
        .update({ state: "waiting", ended_at: null });
    },
    /** Runs the open task of this kind, if there is one, like a worker. */
    runTask: async (
      kind: keyof MediaFeature["tasks"],
      id: number,
      signal: AbortSignal = new AbortController().signal,
    ): Promise<TaskOutcome | undefined> => {
      const [task] = await rowsOf<RunningTask & { enterprise_id: number }>(
        database.db,
        `UPDATE tasks SET state = 'done', ended_at = now() WHERE kind = ? AND key = ? AND state <> 'done'
          RETURNING *`,
        [kind, `media:${id}`],
      );
      const handler = get().feature.tasks[kind];
      return task && handler?.({ ...task, enterpriseId: task.enterprise_id, attempt: 1 }, signal);
    },
  };
}

export type MediaApi = ReturnType<typeof useMedia>;
