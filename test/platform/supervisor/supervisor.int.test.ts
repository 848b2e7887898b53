import { Writable } from "node:stream";
import { expect } from "chai";
import {
  parseFormation,
  parseProcfile,
  planInstances,
} from "../../../src/platform/supervisor/formation.ts";
import { createSupervisor, type Supervisor } from "../../../src/platform/supervisor/supervisor.ts";
import { eventually } from "../../support/eventually.ts";

describe("createSupervisor", function () {
  this.timeout(20_000);
  const running: { supervisor: Supervisor; ended: Promise<number> }[] = [];

  afterEach(async () => {
    for (const { supervisor, ended } of running.splice(0)) {
      supervisor.stop("SIGTERM");
      supervisor.kill();
      await ended;
    }
  });

  const run = (procfile: string, { graceMs = 10_000, formation = "", firstMs = 1 } = {}) => {
    const types = parseProcfile(procfile);
    let text = "";
    const output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        text += chunk.toString("utf8");
        done();
      },
    });
    output.setMaxListeners(0);
    const supervisor = createSupervisor({
      instances: planInstances(types, parseFormation(formation, types), {
        port: 3000,
        metricsPort: 9464,
      }),
      cwd: "/",
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
      output,
      graceMs,
      restart: { firstMs, maxMs: 4, stableMs: 60_000 },
    });
    const ended = supervisor.run();
    running.push({ supervisor, ended });
    const lines = (): string[] => text.split("\n");
    const sees = async (line: string): Promise<void> => {
      await eventually(() => expect(lines()).to.include(line), { timeoutMs: 15_000 });
    };
    return { supervisor, ended, lines, sees };
  };

  /** A program that tells of a signal and then ends. The shell is a process of its own here. */
  const polite = `sh -c 'trap "echo bye; exit 0" TERM INT; echo up; while :; do sleep 0.05; done'`;

  it("runs release to its end before anything else, and only once", async () => {
    const { ended, lines, sees, supervisor } = run(
      `web: ${polite}\nrelease: sh -c 'echo begin; sleep 0.1; echo end'`,
    );
    await sees("web.1     | up");
    expect(lines().filter((line) => line.startsWith("release"))).to.deep.equal([
      "release.1 | starting: sh -c 'echo begin; sleep 0.1; echo end'",
      "release.1 | begin",
      "release.1 | end",
    ]);
    expect(lines().indexOf("release.1 | end")).to.be.below(lines().indexOf("web.1     | up"));
    supervisor.stop("SIGTERM");
    expect(await ended).to.equal(0);
  });

  it("starts nothing else where release fails, and exits with its code", async () => {
    const { ended, lines } = run(`release: sh -c 'echo no >&2; exit 7'\nweb: ${polite}`);
    expect(await ended).to.equal(7);
    expect(lines()).to.include("release.1 | no");
    expect(lines().some((line) => line.startsWith("web"))).to.equal(false);
  });

  it("gives each process its ports and the assignments before its command", async () => {
    const show = `A=one B=two sh -c 'echo $A $B $PORT $METRICS_PORT; exec sleep 600'`;
    const { sees } = run(`web: ${show}\nrelay: ${show}`, { formation: "web=2,relay=2" });
    await sees("web.1   | one two 3000 9464");
    await sees("web.2   | one two 3001 9464");
    await sees("relay.1 | one two 3000 9464");
    await sees("relay.2 | one two 3001 9465");
  });

  it("starts a process that died again and again, and leaves the others alone", async () => {
    const { lines, sees } = run(`web: ${polite}\nrelay: sh -c 'echo born; kill -KILL $$'`);
    await eventually(() => lines().filter((line) => line === "relay.1 | born").length >= 3);
    await sees("relay.1 | died: signal SIGKILL; starting again in 4 ms");
    expect(lines().filter((line) => line === "web.1   | up")).to.have.length(1);
  });

  it("passes the signal on, waits for the last words, and exits with 0", async () => {
    const { ended, lines, sees, supervisor } = run(`web: ${polite}\nrelay: ${polite}`);
    await sees("web.1   | up");
    await sees("relay.1 | up");
    supervisor.stop("SIGINT");
    expect(await ended).to.equal(0);
    expect(lines()).to.include.members(["web.1   | bye", "relay.1 | bye", "relay.1 | stopped"]);
  });

  it("does not call it a good end when a process stops badly", async () => {
    const { ended, sees, supervisor } = run(
      `web: sh -c 'trap "exit 1" TERM; echo up; while :; do sleep 0.05; done'`,
    );
    await sees("web.1 | up");
    supervisor.stop("SIGTERM");
    expect(await ended).to.equal(1);
  });

  it("kills what does not stop within the grace", async () => {
    const { ended, sees, supervisor } = run(
      `web: sh -c 'trap "" TERM; echo up; while :; do sleep 0.05; done'`,
      { graceMs: 50 },
    );
    await sees("web.1 | up");
    supervisor.stop("SIGTERM");
    expect(await ended).to.equal(1);
  });

  it("stops everything with 2 where a process calls its configuration wrong", async () => {
    const { ended, lines } = run(`web: ${polite}\nrelay: sh -c 'exit 2'`);
    expect(await ended).to.equal(2);
    expect(lines()).to.include("web.1   | stopped");
  });

  it("ends at once when stopped while a process waits for its next start", async () => {
    const { ended, supervisor, sees } = run(`relay: sh -c 'exit 0'`, { firstMs: 3_600_000 });
    await sees("relay.1 | died: exit code 0; starting again in 3600000 ms");
    supervisor.stop("SIGTERM");
    expect(await ended).to.equal(0);
  });
});
