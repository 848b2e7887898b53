import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";
import type { Caller } from "../../src/http/route.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { freePort } from "../support/free-port.ts";
import { createWebhookRoutes } from "../../src/subscriptions/routes.ts";
import { readPage, sectionOf, tableOf } from "../support/markdown.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startPullApi, type PullApi } from "../support/pull-api.ts";
import { aCaller, startWebhookApi, type WebhookApi } from "../support/webhook-api.ts";

type Ended = { code: number; out: string; err: string };

function run(words: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env["PATH"] ?? "", ...env } };
    const args = ["bin/sightline.js", ...words];
    const child = execFile(process.execPath, args, options, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
    child.stdin?.end();
  });
}

describe("bin/sightline.js", () => {
  const database = useDatabase();
  let webhooks: WebhookApi;
  let api: PullApi;
  let caller: Caller;
  before(async () => {
    webhooks = await startWebhookApi(database.db);
    api = await startPullApi(database.db, { routes: createWebhookRoutes(webhooks.service) });
    caller = await aCaller(database.db, "admin");
    api.admit(caller);
  });
  after(async () => {
    await api.close();
    await webhooks.close();
  });
  const envOf = (): Record<string, string> => ({
    SIGHTLINE_URL: api.url.replace(/\/api$/u, ""),
    SIGHTLINE_TOKEN: caller.token,
  });
  const countWebhooks = async (): Promise<number> =>
    (await rowsOf(database.db, "SELECT 1 FROM subscriptions WHERE deleted_at IS NULL")).length;

  it("runs without a build, without colours in a pipe, and with its exit codes", async () => {
    const help = await run(["--help"]);
    expect([help.code, help.err]).to.deep.equal([0, ""]);
    expect(help.out).to.contain("Usage: sightline");
    expect((await run(["nonsense"])).code).to.equal(2);
    const nobody = await run(["replay", "list"]);
    expect([nobody.code, nobody.out]).to.deep.equal([2, ""]);
    expect(nobody.err).to.contain("Set SIGHTLINE_TOKEN");
    const url = `http://127.0.0.1:${await freePort()}`;
    const gone = await run(["replay", "list"], { ...envOf(), SIGHTLINE_URL: url });
    expect(gone).to.deep.equal({
      code: 3,
      out: "",
      err: `${url} cannot be reached: ECONNREFUSED.\n`,
    });
  }).timeout(30_000);

  it("cleans up at Ctrl-C, and exits with 130", async () => {
    const child = spawn(process.execPath, ["bin/sightline.js", "events", "tail"], {
      env: { PATH: process.env["PATH"] ?? "", ...envOf() },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString();
    });
    await eventually(() => err.includes("Press Ctrl-C to stop"), { timeoutMs: 20_000 });
    expect(await countWebhooks()).to.equal(1);
    child.kill("SIGINT");
    const [code] = (await once(child, "exit")) as [number];
    expect([code, await countWebhooks()]).to.deep.equal([130, 0]);
  }).timeout(30_000);

  it("leaves its webhook when it is killed, and the next run removes it", async () => {
    const child = spawn(process.execPath, ["bin/sightline.js", "events", "tail"], {
      env: { PATH: process.env["PATH"] ?? "", ...envOf() },
      stdio: "ignore",
    });
    await eventually(async () => (await countWebhooks()) === 1, { timeoutMs: 20_000 });
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await countWebhooks()).to.equal(1);
    const next = spawn(process.execPath, ["bin/sightline.js", "events", "tail"], {
      env: { PATH: process.env["PATH"] ?? "", ...envOf() },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let err = "";
    next.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString();
    });
    await eventually(() => err.includes("Press Ctrl-C to stop"), { timeoutMs: 20_000 });
    expect(err).to.contain("left by an earlier run");
    expect(await countWebhooks()).to.equal(1);
    next.kill("SIGINT");
    await once(next, "exit");
    expect(await countWebhooks()).to.equal(0);
  }).timeout(60_000);

  it("has a section in docs/cli.md for every command, with every option", async () => {
    const page = await readPage("docs/cli.md");
    const commands = [
      "listen",
      "events tail",
      "send-test",
      "replay",
      "explain",
      "explain-webhook",
      "reconcile",
      "verify",
    ];
    for (const command of commands) {
      const words = command === "replay" ? ["replay", "start"] : command.split(" ");
      const { out } = await run([...words, "--help"]);
      const options = [...out.matchAll(/^ {2}(--[a-z-]+)/gmu)].map(([, option = ""]) => option);
      const section = sectionOf(page, `\`${command}\``);
      const missing = options.filter((one) => one !== "--json" && !section.includes(one));
      expect(options.length, command).to.be.above(0);
      expect(missing, command).to.deep.equal([]);
    }
    const codes = tableOf(page.slice(page.indexOf("| Exit code"))).map(([code]) => Number(code));
    expect(codes).to.deep.equal([0, 1, 2, 3, 130]);
  }).timeout(60_000);
});
