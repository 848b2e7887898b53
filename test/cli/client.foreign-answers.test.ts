import { expect } from "chai";
import { anyone, runCli, startCli } from "../support/cli-shell.ts";
import { eventually } from "../support/eventually.ts";

const login = {
  SIGHTLINE_URL: "http://sightline.test",
  SIGHTLINE_LOGIN: "admin@demo.example",
  SIGHTLINE_PASSWORD: "a secret",
};

const page = "<html>maintenance</html>";

/** Each command, and the URL that it reads first. */
const commands: readonly (readonly [words: string, path: string])[] = [
  ["listen --forward http://127.0.0.1:9/", "/webhooks"],
  [
    `listen --forward http://127.0.0.1:9/ --webhook 7 --secret whsec_${"A".repeat(32)}`,
    "/webhooks/7",
  ],
  ["events tail", "/webhooks"],
  ["send-test 7", "/webhooks/7/test"],
  ["replay 7", "/webhooks/7/replay/preview"],
  ["replay 7 --dry-run --json", "/webhooks/7/replay/preview"],
  ["replay list", "/webhooks/replays"],
  ["replay show 12", "/webhooks/replays/12"],
  ["replay show 12 --wait", "/webhooks/replays/12"],
  ["replay cancel 12", "/webhooks/replays/12/cancel"],
  ["retry 734", "/webhooks/deliveries/retry"],
  ["probe 7", "/webhooks/7/probe"],
  ["recover 7 --since 2026-11-23", "/webhooks/7/recover/preview"],
  ["explain evt_1", "/webhooks/explain"],
  ["explain-webhook 7", "/webhooks/7/explain"],
  ["reconcile", "/webhooks/reconcile"],
];

function answering(body: string, init?: ResponseInit): typeof fetch {
  return async () => new Response(body, init);
}

describe("answers that are not the API's", () => {
  for (const [words, path] of commands) {
    it(`end ${words} with exit code 3 and the URL`, async () => {
      for (const body of [page, "", "{}", "[]", "null", '"ok"']) {
        const run = await runCli(words.split(" "), { env: anyone, fetch: answering(body) });
        expect(run, body).to.deep.equal({
          code: 3,
          out: "",
          err: `http://sightline.test/api${path} answered 200, but not as the API of Sightline does. Check SIGHTLINE_URL and the proxies before the platform.\n`,
        });
      }
    });
  }

  it("end a sign-in", async () => {
    for (const body of [page, "null", '{"access_token":1}']) {
      const run = await runCli(["reconcile"], { env: login, fetch: answering(body) });
      expect([run.code, run.out]).to.deep.equal([3, ""]);
      expect(run.err).to.contain("http://sightline.test/api/token answered 200");
    }
  });

  it("are refusals without a reason if they are no problem of the API", async () => {
    for (const body of [page, "null", '{"detail":1,"code":"x"}']) {
      const fetch = answering(body, { status: 503 });
      const run = await runCli(["reconcile"], { env: anyone, fetch });
      expect(run).to.deep.equal({
        code: 3,
        out: "",
        err: "Refused with 503: no reason given\n",
      });
    }
  });

  it("are shown instead of an event stream, which is opened again", async () => {
    let opened = 0;
    const fetch: typeof globalThis.fetch = async () => {
      opened += 1;
      return new Response(page, { headers: { "content-type": "text/html" } });
    };
    const run = startCli(["events", "tail", "--webhook", "7"], { env: anyone, fetch });
    await eventually(() => opened === 2);
    run.interrupt();
    expect(await run.done).to.equal(130);
    expect(run.err).to.contain("/webhooks/7/events/stream answered 200, but not as the API");
  });
});
