import { readdir } from "node:fs/promises";
import { expect } from "chai";
import { randomUUID } from "node:crypto";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { eventually } from "../support/eventually.ts";
import { isNight } from "../support/night.ts";
import { createContents } from "../support/snapshot.ts";
import { openStatementProxy, type StatementProxy } from "../support/statement-proxy.ts";
import { useWholeApi, type ApiAnswer, type ApiCall } from "../support/whole-api.ts";
import { aSubject, writingSubjects } from "./subjects.ts";
import { useFixture } from "./fixture.ts";

/**
 * Tables that an interrupted operation may change. An upload writes a row, then the file, then
 * completes the row. If it is interrupted, the incomplete row remains until a sweep ends it or the
 * client repeats the upload.
 */
const stepwise: Readonly<Record<string, readonly string[]>> = {
  "POST /medias": ["media", "events", "outbox"],
  "POST /guest/medias": ["media", "events", "outbox"],
  "PUT /rtc/recordings/{recordingId}/chunks/{number}": ["media", "recording_chunks"],
  // A test send is recorded before its request is sent.
  "POST /webhooks/{webhookId}/test": ["audit_entries"],
};

/** An upper limit for the number of statements of an operation. */
const most = 60;
const step = isNight ? 1 : 3;

type Call = Readonly<{ operation: string; call: ApiCall }>;

describe("an operation whose database connection is lost at any statement", function () {
  this.timeout(30_000);
  let proxy: StatementProxy | undefined;
  after("close the proxy", async () => {
    await proxy?.close();
  });
  const api = useWholeApi({
    route: async (straight) => {
      const url = new URL(straight);
      proxy = await openStatementProxy(Number(url.port));
      url.port = String(proxy.port);
      return url.href;
    },
  });
  const fixture = useFixture(api);
  let contents: () => Promise<Record<string, string>>;
  before("list the tables", async () => {
    contents = await createContents(api.db);
  });

  /** Files without a row. */
  const strayFiles = async (): Promise<string[]> => {
    const rows = await rowsOf<{ hash: string }>(api.db, "SELECT hash FROM media");
    const known = rows.map(({ hash }) => hash);
    const entries = await readdir(api.blobDir, { withFileTypes: true, recursive: true });
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    return names.filter((name) => !known.some((hash) => name.includes(hash)));
  };

  /** The number of completed rows without a file. */
  const countMissingFiles = async (): Promise<number> => {
    const sql = "SELECT count(*) AS count FROM media WHERE state = 'completed' AND bytes = 0";
    const [row] = await rowsOf<{ count: number }>(api.db, sql);
    return row?.count ?? 0;
  };

  const isSuccess = ({ status }: ApiAnswer): boolean => status < 300;

  /**
   * Retries while Postgres has not noticed the lost connection of the last call, which still locks
   * the idempotency key.
   */
  const sendInterruptedAt = (n: number, { operation, call }: Call) =>
    eventually(async () => {
      proxy?.interruptAt(n);
      const answer = await api.call(operation, call);
      const wasInterrupted = proxy?.disarm() === true;
      if (answer.body?.details === "Header Idempotency-Key") {
        throw new Error(answer.text);
      }
      return { answer, wasInterrupted };
    });

  /**
   * Interrupts the call at each statement (at every third outside of the nightly run) until it
   * succeeds without an interruption. `first` varies between operations, so that together they also
   * cover the statements that they have in common.
   */
  const interruptEverywhere = async (
    make: () => Promise<Call>,
    { mayDiffer, first }: Readonly<{ mayDiffer: readonly string[]; first: number }>,
  ): Promise<number> => {
    let call = await make();
    let before = await contents();
    let interruptions = 0;
    for (let n = first; n <= most; n += step) {
      const { answer, wasInterrupted } = await sendInterruptedAt(n, call);
      interruptions += wasInterrupted ? 1 : 0;
      const after = await contents();
      const what = `statement ${n}: ${answer.status} ${answer.text}`;
      if (isSuccess(answer) && !wasInterrupted) {
        // If the operation has fewer statements than `first`, starts at its first statement.
        return interruptions > 0 || first === 1
          ? interruptions
          : interruptEverywhere(make, { mayDiffer, first: 1 });
      }
      if (isSuccess(answer)) {
        call = await make();
        before = await contents();
      } else {
        expect(answer.status, what).to.be.oneOf([500, 503]);
        const differing = Object.keys(after).filter((table) => after[table] !== before[table]);
        const wrong = differing.filter((table) => !mayDiffer.includes(table));
        expect(wrong, what).to.deep.equal([]);
        expect(await countMissingFiles(), what).to.equal(0);
        before = after;
      }
      expect(await strayFiles(), what).to.deep.equal([]);
    }
    throw new Error(`There are more than ${most} statements`);
  };

  for (const name of writingSubjects) {
    it(`${name} is complete, or rolled back and repeatable`, async () => {
      const interruptions = await interruptEverywhere(
        async () => {
          const { operation, call } = await aSubject(fixture.get, name);
          const headers = { "idempotency-key": randomUUID(), ...call.headers };
          return { operation, call: { ...call, headers } };
        },
        { mayDiffer: stepwise[name] ?? [], first: 1 + (name.length % step) },
      );
      expect(interruptions).to.be.at.least(1);
    });
  }
});
