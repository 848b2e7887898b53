import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { expect } from "chai";
import {
  parseFormation,
  parseProcfile,
  planInstances,
} from "../../../src/embedded/supervisor/formation.ts";
import { isAlive } from "../../../src/embedded/postgres/processes.ts";
import { createSupervisor, type Supervisor } from "../../../src/embedded/supervisor/supervisor.ts";
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

  const usual = { graceMs: 10_000, formation: "", firstMs: 1, readyWithinMs: 10_000 };

  const run = (procfile: string, changed: Partial<typeof usual> = {}) => {
    const { graceMs, formation, firstMs, readyWithinMs } = { ...usual, ...changed };
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
        ...{ port: 3000, metricsPort: 9464, host: "127.0.0.1", metricsHost: "127.0.0.1" },
        mllp: undefined,
      }),
      cwd: "/",
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
      output,
      graceMs,
      readyWithinMs,
      noticeMs: 0,
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

  /**
   * A program that prints a line on a signal and then exits. The shell is a separate process here.
   */
  const polite = `sh -c 'trap "echo bye; exit 0" TERM INT; echo up; while :; do sleep 0.05; done'`;

  it("runs release to its end before anything else, and once", async () => {
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

  it("starts nothing else if release fails, and exits with its code", async () => {
    const { ended, lines } = run(`release: sh -c 'echo no >&2; exit 7'\nweb: ${polite}`);
    expect(await ended).to.equal(7);
    expect(lines()).to.include("release.1 | no");
    expect(lines().some((line) => line.startsWith("web"))).to.equal(false);
  });

  it("gives each process its ports and the assignments of its command", async () => {
    const show = `A=one B=two sh -c 'echo $A $B $PORT $METRICS_PORT; exec sleep 600'`;
    const { sees } = run(`web: ${show}\nrelay: ${show}`, { formation: "web=2,relay=2" });
    await sees("web.1   | one two 3000 9464");
    await sees("web.2   | one two 3001 9464");
    await sees("relay.1 | one two 3000 9464");
    await sees("relay.2 | one two 3001 9465");
  });

  it("restarts a process each time it exits, without affecting others", async () => {
    const { lines, sees } = run(`web: ${polite}\nrelay: sh -c 'echo born; kill -KILL $$'`);
    await eventually(() => lines().filter((line) => line === "relay.1 | born").length >= 3);
    await sees("relay.1 | died: signal SIGKILL; restarting in 4 ms");
    expect(lines().filter((line) => line === "web.1   | up")).to.have.length(1);
  });

  it("passes the signal on, waits for the last output, and exits with 0", async () => {
    const { ended, lines, sees, supervisor } = run(`web: ${polite}\nrelay: ${polite}`);
    await sees("web.1   | up");
    await sees("relay.1 | up");
    supervisor.stop("SIGINT");
    expect(await ended).to.equal(0);
    expect(lines()).to.include.members(["web.1   | bye", "relay.1 | bye", "relay.1 | stopped"]);
  });

  it("exits with an error if a process does not stop cleanly", async () => {
    const { ended, sees, supervisor } = run(
      `web: sh -c 'trap "exit 1" TERM; echo up; while :; do sleep 0.05; done'`,
    );
    await sees("web.1 | up");
    supervisor.stop("SIGTERM");
    expect(await ended).to.equal(1);
  });

  it("kills processes that do not stop within the grace period", async () => {
    const { ended, sees, supervisor } = run(
      `web: sh -c 'trap "" TERM; echo up; while :; do sleep 0.05; done'`,
      { graceMs: 50 },
    );
    await sees("web.1 | up");
    supervisor.stop("SIGTERM");
    expect(await ended).to.equal(1);
  });

  it("stops all with code 2 if a process reports a wrong configuration", async () => {
    const { ended, lines } = run(`web: ${polite}\nrelay: sh -c 'exit 2'`);
    expect(await ended).to.equal(2);
    expect(lines()).to.include("web.1   | stopped");
  });

  it("ends at once if stopped while a process waits for its restart", async () => {
    const { ended, supervisor, sees } = run(`relay: sh -c 'exit 0'`, { firstMs: 3_600_000 });
    await sees("relay.1 | died: exit code 0; restarting in 3600000 ms");
    supervisor.stop("SIGTERM");
    expect(await ended).to.equal(0);
  });

  it("signals the program in the shell of release, not only the shell", async () => {
    const program = `${process.execPath} -e "process.on(\`SIGTERM\`, () => { console.log(\`bye\`); process.exit(3); }); setInterval(() => {}, 1000); console.log(\`up\`)"`;
    const { ended, lines, sees, supervisor } = run(
      `release: sh -c '${program.replaceAll("`", "\\`")} && echo on'`,
    );
    await sees("release.1 | up");
    supervisor.stop("SIGTERM");
    await ended;
    expect(lines()).to.include("release.1 | bye").and.not.include("release.1 | on");
  });

  it("kills the children of a process too", async () => {
    const { ended, lines, sees, supervisor } = run(
      `web: sh -c 'trap "" TERM; sleep 3600 & echo $!; echo up; wait'`,
      { graceMs: 20 },
    );
    await sees("web.1 | up");
    const pid = Number(
      lines()
        .find((line) => /\| \d+$/u.test(line))
        ?.split("| ")[1],
    );
    supervisor.stop("SIGTERM");
    await ended;
    await eventually(async () => expect(await isAlive(pid)).to.equal(false));
  });

  describe("restart", () => {
    /** A program that reports that it is ready; `last` replaces it from the second start on. */
    const program = (last = "ready()") => {
      const source = `
        const fs = require("node:fs");
        const mark = "MARK-" + process.env.PORT;
        const isSecond = fs.existsSync(mark);
        fs.writeFileSync(mark, "");
        const ready = () => { console.log("ready", isSecond); process.send({ type: "ready" }); };
        process.on("SIGTERM", () => { console.log("bye"); process.exit(0); });
        setInterval(() => {}, 1000);
        if (isSecond) { ${last} } else { ready(); }`;
      return source.replaceAll(/\s+/gu, " ");
    };
    let folder = "";
    beforeEach("make a folder for marker files", async () => {
      folder = await mkdtemp(join(tmpdir(), "sightline-supervisor-"));
    });
    afterEach("remove it", () => rm(folder, { recursive: true }));

    const web = (last?: string): string =>
      `web: ${process.execPath} -e '${program(last).replace("MARK", `${folder}/mark`)}'`;
    const both = { formation: "web=2" };
    const counted = (lines: string[], text: string): number =>
      lines.filter((line) => line.includes(text)).length;

    it("runs release, then replaces one process when the one before is ready", async () => {
      const { lines, sees, supervisor } = run(`release: sh -c 'echo done'\n${web()}`, both);
      await sees("web.1     | ready false");
      await sees("web.2     | ready false");
      await supervisor.restart();
      const said = lines().slice(lines().indexOf("runner    | rolling restart"));
      expect(
        said.filter((line) => /\| (?:done|bye|ready|rolling restart done)/u.test(line)),
      ).to.deep.equal([
        "release.1 | done",
        "web.1     | bye",
        "web.1     | ready true",
        "web.2     | bye",
        "web.2     | ready true",
        "runner    | rolling restart done",
      ]);
    });

    it("aborts at a process that does not get ready, and leaves the others alone", async () => {
      for (const last of ["", "process.exit(2)"]) {
        const { lines, sees, supervisor } = run(web(last), { ...both, readyWithinMs: 500 });
        await sees("web.1 | ready false");
        await sees("web.2 | ready false");
        await supervisor.restart();
        expect(lines()).to.include("runner | rolling restart aborted: web.1 is not ready");
        if (last !== "") {
          await eventually(() => counted(lines(), "web.1 | died: exit code 2") >= 3);
        }
        expect(counted(lines(), "web.2 | bye")).to.equal(0);
        await rm(`${folder}/mark-3000`);
        await rm(`${folder}/mark-3001`);
      }
    });

    it("finishes one that was aborted: release learns when that one began", async () => {
      const ifFixed = 'if (fs.existsSync(mark + ".fixed")) { ready(); } else { process.exit(1); }';
      const { lines, sees, supervisor } = run(
        `release: sh -c 'echo "began at $REPLACEMENT_BEGAN_AT"'\n${web(ifFixed)}`,
      );
      const began = (): string[] =>
        lines()
          .flatMap((line) => line.split("| began at ").slice(1))
          .map((text) => text.trim());
      await sees("web.1     | ready false");
      await supervisor.restart();
      await supervisor.restart();
      await writeFile(`${folder}/mark-3000.fixed`, "");
      await supervisor.restart();
      const [start, first = "", ...more] = began();
      expect(start).to.equal("");
      expect(more).to.deep.equal([first, first]);
      expect(lines()).to.include(`runner    | rolling restart, to finish that of ${first}`);
      expect(counted(lines(), "rolling restart done")).to.equal(1);
      await supervisor.restart();
      expect(Date.parse(began()[4] ?? "")).to.be.above(Date.parse(first));
    });

    it("keeps all processes if release fails", async () => {
      const { lines, sees, supervisor } = run(
        `release: sh -c 'test ! -e ${folder}/mark-3000'\n${web()}`,
        both,
      );
      await sees("web.1     | ready false");
      await sees("web.2     | ready false");
      await supervisor.restart();
      expect(lines()).to.include("release.1 | failed: exit code 1");
      expect(counted(lines(), "| bye")).to.equal(0);
    });

    it("says that it waits for a release that hangs", async () => {
      const { sees, supervisor } = run(`release: ${polite}\n${web()}`, both);
      await sees("release.1 | up");
      await supervisor.restart();
      await sees("runner    | no rolling restart now: the runner waits for the end of release.1");
    });

    it("ends if the runner is stopped before its end", async () => {
      const { ended, lines, sees, supervisor } = run(web(""), both);
      await sees("web.1 | ready false");
      await sees("web.2 | ready false");
      const restarting = supervisor.restart();
      await eventually(() => counted(lines(), "web.1 | starting") === 2);
      await supervisor.restart();
      expect(counted(lines(), "the runner waits for web.1 to be ready")).to.equal(1);
      supervisor.stop("SIGTERM");
      await restarting;
      expect(await ended).to.equal(0);
      expect(counted(lines(), "no rolling restart now")).to.equal(1);
    });
  });
});
