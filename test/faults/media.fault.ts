/**
 * An upload whose process is killed, at fixed and random points, leaves either nothing or a row
 * that ends `completed` or `error`. After the cleanup there are no files without rows and no
 * temporary files, and every `completed` row has its file. `FAULT_ROUNDS` sets the number of
 * rounds.
 */
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { composeFeatures } from "../../src/compose/features.ts";
import { openPlatform, type Platform } from "../../src/compose/platform.ts";
import { loadConfig } from "../../src/config/config.ts";
import { removeLeftovers } from "../../src/platform/blobs/blobs.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import type { StopPart } from "../../src/platform/lifecycle.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { faultRounds, useChance } from "../support/chance.ts";
import { aCustomer, type Customer } from "../support/customer.ts";
import { eventually } from "../support/eventually.ts";
import { aForm, tinyPng } from "../support/media.ts";
import type { Ended } from "../support/processes.ts";
import { testKey } from "../support/secret-box.ts";
import { useStack, type RoleProcess } from "../support/stack.ts";

const secondsPerRound = 15;
/** Large enough that a kill can hit any phase: body, store, or between them. */
const picture = Buffer.concat([tinyPng, Buffer.alloc(6 * 1024 * 1024, 1)]);

describe("uploads with a kill -9", function () {
  this.timeout((60 + faultRounds * secondsPerRound) * 1_000);
  const stops: StopPart[] = [];
  let dir = "";
  after("close open connections", async () => {
    for (const stop of stops.toReversed()) {
      await stop(5_000);
    }
  });
  const { database, stack } = useStack("postgres", () => ({
    BLOB_DIR: join(dir, "blobs"),
    TMPDIR: dir,
  }));
  after("remove the folder", () => rm(dir, { recursive: true, force: true }));
  const chance = useChance();
  let platform: Platform;
  let customer: Customer;
  let ticketId = 0;
  let token = "";

  before("start the API", async () => {
    dir = await mkdtemp(join(tmpdir(), "sightline-fault-"));
    await mkdir(join(dir, "blobs"));
    const forgotten = join(dir, "sightline-upload-forgotten");
    await writeFile(forgotten, "half");
    await utimes(forgotten, 1, 1);
    await stack.start("web");
    customer = await aCustomer(database.db, stack);
    ticketId = await customer.createTicket();
    token = await logIn();
    platform = await openPlatform({
      config: loadConfig({ ...stack.env, SECRET_KEY: testKey.toString("base64") }),
      log: createLogger("error", "test"),
      lifecycle: {
        onStop: (_name, stop) => stops.push(stop),
        signal: new AbortController().signal,
      },
      databaseUrl: database.url,
      secretKey: testKey,
    });
  });

  const logIn = async (): Promise<string> => {
    const { login: username, password } = customer.admin;
    const response = await fetch(`${stack.current("web").url}/api/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ grant_type: "password", username, password }),
    });
    return String(((await response.json()) as Record<string, unknown>)["access_token"]);
  };
  /** Returns the id of the media, or undefined without a response. */
  const upload = async (): Promise<number | undefined> => {
    try {
      const response = await fetch(`${stack.current("web").url}/api/medias`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: aForm({ data: picture }, { ticketId }),
      });
      const body = (await response.json()) as Record<string, unknown>;
      expect(response.status, JSON.stringify(body)).to.equal(201);
      return Number(body["id"]);
    } catch (thrown) {
      if (thrown instanceof TypeError) {
        return undefined;
      }
      throw thrown;
    }
  };

  type Row = { id: number; state: string; file: string; events: string[] };
  const listRows = (): Promise<Row[]> =>
    rowsOf<Row>(
      database.db,
      `SELECT id, state, 'media.' || hash || '.file' AS file,
         (SELECT array_agg((e.body::json)->'props'->>'state' ORDER BY e.id) FROM events e
           WHERE e.key = 'media:' || m.id) AS events
       FROM media m ORDER BY id`,
    );
  const listFiles = async (): Promise<string[]> => {
    const found = await readdir(join(dir, "blobs"), { recursive: true, withFileTypes: true });
    return found.filter((one) => one.isFile()).map((one) => one.name);
  };
  /** Ages the rows by two hours and the files by a day, and runs the cleanup. */
  const cleanUp = async (): Promise<void> => {
    await rowsOf(
      database.db,
      "UPDATE media SET modified_at = modified_at - interval '2 hours' WHERE state = 'inprogress'",
    );
    const { cleanup } = composeFeatures(platform).media;
    await cleanup.endStuckUploads();
    await cleanup.removeFiles();
    const tomorrow = new Date(Date.now() + 25 * 3_600_000);
    await removeLeftovers({ blobDir: join(dir, "blobs"), temporaryDir: dir }, tomorrow);
  };
  /** Returns the rows, all of which have reached a final state. */
  const readFinalRows = async (): Promise<Row[]> => {
    await cleanUp();
    const rows = await listRows();
    const completed = rows.filter(({ state }) => state === "completed");
    const open = rows.filter(({ state }) => state !== "completed" && state !== "error");
    expect(open).to.deep.equal([]);
    expect(await listFiles()).to.have.members(completed.map(({ file }) => file));
    for (const { state, events } of rows) {
      expect(events).to.deep.equal(["inprogress", state]);
    }
    expect((await readdir(dir)).filter((name) => name.includes("upload"))).to.deep.equal([]);
    return rows;
  };

  const killedAt = async (point: string): Promise<Ended> => {
    await stack.current("web").stop();
    const crashing: RoleProcess = await stack.start("web", { FAULT_AT: point });
    expect(await upload()).to.equal(undefined);
    const ended = await crashing.ended;
    await stack.start("web");
    return ended;
  };
  const killed: Ended = { code: null, signal: "SIGKILL" };

  it("long ago: its temporary files are deleted at the next start", async () => {
    await eventually(async () =>
      expect(await readdir(dir)).not.to.include("sightline-upload-forgotten"),
    );
  });

  it("before the row is committed: nothing is left", async () => {
    const before = await listRows();
    expect(await killedAt("api.beforeCommit")).to.deep.equal(killed);
    expect(await listRows()).to.deep.equal(before);
    await readFinalRows();
  });

  for (const point of ["media.afterRow", "media.afterStore"]) {
    it(`at ${point}: the row ends as an error, and has no file`, async () => {
      const before = (await listRows()).length;
      expect(await killedAt(point)).to.deep.equal(killed);
      const begun = (await listRows()).at(-1);
      expect(begun?.state).to.equal("inprogress");
      expect((await listFiles()).includes(begun?.file ?? "")).to.equal(
        point === "media.afterStore",
      );
      const rows = await readFinalRows();
      expect(rows).to.have.lengthOf(before + 1);
      expect(rows.at(-1)?.state).to.equal("error");
    });
  }

  it(`${faultRounds} times at a random time: every acknowledged file exists, complete`, async () => {
    const answered: number[] = [];
    for (let round = 0; round < faultRounds; round += 1) {
      const first = await upload();
      expect(first, "an undisturbed upload").not.to.equal(undefined);
      const uploads = Array.from({ length: 4 }, upload);
      await delay(chance.between(1, 250));
      await stack.current("web").kill();
      const done = (await Promise.all(uploads)).filter((id) => id !== undefined);
      answered.push(first ?? 0, ...done);
      await stack.start("web");
    }
    const rows = await readFinalRows();
    const completed = rows.filter(({ state }) => state === "completed");
    expect(completed.map(({ id }) => id)).to.include.members(answered);
    const blobs = join(dir, "blobs");
    for (const one of await readdir(blobs, { recursive: true, withFileTypes: true })) {
      if (one.isFile()) {
        expect((await stat(join(one.parentPath, one.name))).size).to.equal(picture.length);
      }
    }
  });
});
