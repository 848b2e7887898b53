import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { anyone, fetchBy, runCli, startCli, type CliOptions } from "../../support/cli-shell.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { aSubscription, type SubscriptionRow } from "../../support/factories.ts";
import { readMade, seedPast, startReplayApi, type ReplayApi } from "../../support/replays.ts";
import { aCaller, type Call } from "../../support/webhook-api.ts";

describe("sightline replay", () => {
  const database = useDatabase();
  let api: ReplayApi;
  let call: Call;
  let sub: SubscriptionRow;
  before(async () => {
    api = await startReplayApi(database.db);
  });
  after(() => api.close());
  beforeEach("three dead deliveries and a delivered one", async () => {
    const admin = await aCaller(database.db);
    call = api.as(admin);
    sub = await aSubscription(database.db, {
      enterprise_id: admin.enterpriseId,
      filters: ["ticket.*"],
    });
    const dead = { state: "dead" };
    await seedPast(database.db, sub, [dead, dead, dead, { state: "delivered" }]);
  });

  const with_ = (more: CliOptions = {}): CliOptions => ({
    env: anyone,
    fetch: fetchBy(call),
    ...more,
  });
  const run = (words: string, more: CliOptions = {}) =>
    runCli(["replay", ...words.replace("SUB", String(sub.id)).split(" ")], with_(more));
  const replays = (): Promise<{ id: number; state: string; max_per_second: number }[]> =>
    rowsOf(
      database.db,
      "SELECT id, state, max_per_second FROM replays WHERE subscription_id = ? ORDER BY id",
      [sub.id],
    );
  const onlyReplay = async () => {
    const [only] = await replays();
    return only ?? expect.fail("There is no replay");
  };

  it("only counts with --dry-run", async () => {
    const { code, out } = await run("SUB --dry-run");
    expect(out).to.contain("A replay would create 3 deliveries");
    expect(code).to.equal(0);
    const all = await run("SUB --status dead,delivered --dry-run --json");
    expect((JSON.parse(all.out) as { count: number }).count).to.equal(4);
    expect(await replays()).to.deep.equal([]);
  });

  it("asks for confirmation, and accepts only yes", async () => {
    const no = await run("SUB", { answers: [""] });
    expect(no.err).to.contain("3 deliveries").and.to.contain("Nothing was started.");
    expect([no.code, await replays()]).to.deep.equal([0, []]);
    const yes = await run("SUB --no-wait --rate 7", { answers: ["y"] });
    expect(yes.code).to.equal(0);
    expect(await onlyReplay()).to.deep.include({ max_per_second: 7 });
  });

  it("replays nothing without --yes if there is no terminal", async () => {
    const { code, err } = await run("SUB");
    expect(err).to.contain("add --yes");
    expect([code, await replays()]).to.deep.equal([2, []]);
    const none = await run("SUB --status cancelled --yes");
    expect([none.code, none.err.includes("Nothing to do.")]).to.deep.equal([0, true]);
    const json = await run("SUB --status cancelled --yes --json");
    expect(JSON.parse(json.out)).to.include({ count: 0, exact: true });
  });

  it("watches until everything is delivered", async () => {
    const running = run("SUB --yes --json");
    const { id } = await eventually(onlyReplay);
    await api.finish(id);
    const { code, out } = await running;
    const shown = JSON.parse(out) as Record<string, unknown>;
    expect(shown).to.include({ state: "done", total: 3, made: 3, delivered: 3, progress: 1 });
    expect(code).to.equal(0);
    expect(await readMade(database.db, id)).to.have.length(3);
  });

  it("exits with 1 if deliveries are dead again", async () => {
    const running = run("SUB --yes");
    const { id } = await eventually(onlyReplay);
    await api.runUntil(id, async () => (await onlyReplay()).state === "done");
    await rowsOf(
      database.db,
      "UPDATE deliveries SET state = 'dead', ended_at = now() WHERE replay_id = ?",
      [id],
    );
    const { code, out } = await running;
    expect(out).to.match(/dead\s+│ 3/u);
    expect(code).to.equal(1);
  });

  it("keeps running after Ctrl-C, and prints how to resume", async () => {
    const running = startCli(["replay", String(sub.id), "--yes"], with_());
    const { id } = await eventually(onlyReplay);
    await eventually(() => running.err.includes("has started"));
    running.interrupt();
    expect(await running.done).to.equal(130);
    expect(running.err).to.contain(`sightline replay show ${id}`);
    expect(["counting", "running"]).to.include((await onlyReplay()).state);
    await api.finish(id);
    const shown = await run(`show ${id} --wait`);
    expect([shown.code, /delivered\s+│ 3/u.test(shown.out)]).to.deep.equal([0, true]);
  });

  it("pauses, resumes, cancels and lists", async () => {
    await run("SUB --yes --no-wait --rate 1");
    const { id } = await onlyReplay();
    await api.runUntil(id, async () => (await onlyReplay()).state === "running");
    expect((await run(`pause ${id}`)).code).to.equal(0);
    expect((await onlyReplay()).state).to.equal("paused");
    const waited = await run(`show ${id} --wait`);
    expect(waited.err).to.contain(
      `The replay is paused. To resume: sightline replay resume ${id}.`,
    );
    expect(waited.code).to.equal(1);
    expect((await run(`resume ${id} --json`)).out).to.contain('"state": "running"');
    expect((await run(`cancel ${id}`)).code).to.equal(0);
    expect((await onlyReplay()).state).to.equal("cancelled");
    const listed = await run("list");
    expect(listed.out).to.match(new RegExp(`│ ${id} +│ ${sub.id} +│`, "u"));
    expect((await run("cancel 999999")).code).to.equal(3);
  });
});
