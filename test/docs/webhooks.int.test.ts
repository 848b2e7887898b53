import { once } from "node:events";
import { connect } from "node:net";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { expect } from "chai";
import { parseFilter } from "../../src/contracts/filters.ts";
import { actionsOfObject, operationalKinds, serviceKinds } from "../../src/contracts/events.ts";
import { delayBeforeAttemptMs, maxAttempts } from "../../src/pipeline/delivery/retry-policy.ts";
import { buildRequest } from "../../src/pipeline/delivery/request.ts";
import { eventually } from "../support/eventually.ts";
import { fencesOf, readPage, sectionOf, tableOf, wordsOf } from "../support/markdown.ts";
import { testSecret } from "../support/pipeline.ts";
import { freePort } from "../support/free-port.ts";
import { useProcesses } from "../support/processes.ts";

const body = JSON.stringify({
  ...{ event: "update", time: 1_795_216_792, object: "ticket", objectId: 1_001 },
  props: { state: "closed", note: "Zoë 🎥" },
});

/** A request exactly as sent by a worker. */
function signed(url: string, secret = testSecret, at = new Date()) {
  const { request } = buildRequest(
    { url, eventId: "evt_1", sequence: 1, attempt: 1, body, secrets: [secret], headers: [] },
    at,
  );
  return { headers: request.headers, body: request.body.toString() };
}

async function post(url: string, init: RequestInit): Promise<number> {
  const answer = await fetch(url, { method: "POST", ...init });
  await answer.arrayBuffer();
  return answer.status;
}

/** A client that goes away before it has sent the whole body. */
async function sendHalf(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    "POST /hook HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n",
  );
  await once(socket, "data"); // the receiver reads it
  socket.resetAndDestroy();
  await once(socket, "close");
}

describe("docs/webhooks.md", () => {
  const processes = useProcesses();
  let page: string;
  let folder: string;
  before("read the page", async () => {
    page = await readPage("docs/webhooks.md");
    // Below the repository, so that the sample can import the package.
    await mkdir(".test", { recursive: true });
    folder = await mkdtemp(".test/sample-");
  });
  after("remove the samples", async () => {
    await rm(folder, { recursive: true, force: true });
  });

  for (const title of ["Node, with the `standardwebhooks` package", "Node, without a package"]) {
    it(`verifies real requests with the sample "${title}"`, async () => {
      const [sample = ""] = fencesOf(sectionOf(page, title), "js");
      const file = `${folder}/${title.includes("without") ? "plain" : "library"}.mjs`;
      await writeFile(file, sample);
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/hook`;
      const env = { PORT: String(port), WEBHOOK_SECRET: testSecret };
      const receiver = processes.start({ name: title, file, env });
      const status = await eventually(() => post(url, signed(url)), { timeoutMs: 15_000 });
      expect(status).to.equal(204);
      await eventually(() => expect(receiver.output()).to.contain("evt_1 ticket update 1001"));
      const fine = signed(url);
      const otherSecret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
      const signature = String(fine.headers["webhook-signature"]);
      const both = { ...fine.headers, "webhook-signature": `v1,AAAA v2,x ${signature}` };
      expect(await post(url, { ...fine, headers: both })).to.equal(204);
      for (const forged of [
        signed(url, otherSecret),
        signed(url, testSecret, new Date(Date.now() - 600_000)),
        { ...fine, body: `${fine.body} ` },
        { ...fine, headers: { ...fine.headers, "webhook-id": "evt_2" } },
        { ...fine, headers: { ...fine.headers, "webhook-signature": "" } },
        { body: fine.body },
      ]) {
        expect(await post(url, forged)).to.equal(401);
      }
      await sendHalf(port);
      expect(await post(url, signed(url)), "after a client that went away").to.equal(204);
      await receiver.kill();
    });
  }

  it("lists every object with its events", () => {
    const section = sectionOf(page, "What arrives");
    const rows = tableOf(section.slice(section.indexOf("| `object`")));
    const listed = rows.map(([object = "", events = ""]) => [wordsOf(object)[0], wordsOf(events)]);
    expect(listed).to.deep.equal(serviceKinds.map((kind) => [kind, [...actionsOfObject[kind]]]));
    const operational = tableOf(sectionOf(page, "Operational events")).map((row) =>
      row.slice(0, 2).flatMap(wordsOf),
    );
    expect(operational).to.deep.equal(
      operationalKinds.flatMap((kind) => actionsOfObject[kind].map((action) => [kind, action])),
    );
  });

  it("shows the retry schedule", () => {
    const units: Record<string, number> = { s: 1_000, min: 60_000, h: 3_600_000 };
    const section = sectionOf(page, "Your response");
    const [[, ...waits] = []] = tableOf(section.slice(section.indexOf("| Attempt")));
    const shown = waits.map((text) => {
      const [count = "", unit = ""] = text.split(" ");
      return text === "at once" ? 0 : Number(count) * (units[unit] ?? Number.NaN);
    });
    const real = Array.from({ length: maxAttempts }, (_, n) =>
      delayBeforeAttemptMs(n + 1, () => 0.5),
    );
    expect(shown).to.deep.equal(real);
  });

  it("shows valid filters, and an invalid one", () => {
    const section = sectionOf(page, "Filters");
    for (const [filter = ""] of tableOf(section)) {
      expect(parseFilter(wordsOf(filter)[0] ?? ""), filter).to.not.equal(undefined);
    }
    expect(section).to.contain("`conversation.create`");
    expect(parseFilter("conversation.create")).to.equal(undefined);
  });
});
