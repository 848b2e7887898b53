import { readFile } from "node:fs/promises";
import { expect } from "chai";
import {
  FormationError,
  parseFormation,
  parseProcfile,
  planInstances,
} from "../../../src/embedded/supervisor/formation.ts";

function faultsOf(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (thrown) {
    expect(thrown).to.be.instanceOf(FormationError);
    return (thrown as FormationError).faults;
  }
  throw new Error("It was expected to fail");
}

const types = [
  { name: "release", command: "a" },
  { name: "web", command: "b" },
  { name: "relay", command: "c" },
  { name: "delivery", command: "d" },
];

describe("parseProcfile", () => {
  it("keeps the order and skips comments and blank lines", () => {
    const text = "# all of them\nweb: node server.ts\r\n\nrelay: A=1 node relay.ts --x=y: z\n";
    expect(parseProcfile(text)).to.deep.equal([
      { name: "web", command: "node server.ts" },
      { name: "relay", command: "A=1 node relay.ts --x=y: z" },
    ]);
  });

  it("reports every wrong line at once", () => {
    expect(faultsOf(() => parseProcfile("web: a\nnonsense\nweb: b\nrelay:\n"))).to.deep.equal([
      'Procfile line 2 is not "name: command"',
      "Procfile line 3 repeats the name web",
      'Procfile line 4 is not "name: command"',
    ]);
  });

  it("reads the Procfile of this project: release first, and the seven kinds of process", async () => {
    const text = await readFile(new URL("../../../Procfile", import.meta.url), "utf8");
    expect(parseProcfile(text).map(({ name }) => name)).to.deep.equal([
      "release",
      "web",
      "relay",
      "delivery",
      "schedule",
      "timers",
      "messages",
      "media",
    ]);
  });
});

describe("parseFormation", () => {
  it("runs unnamed types once, and omits types set to 0", () => {
    expect([...parseFormation("delivery=3, release=0", types)]).to.deep.equal([
      ["release", 0],
      ["web", 1],
      ["relay", 1],
      ["delivery", 3],
    ]);
  });

  it("reports every fault at once", () => {
    expect(
      faultsOf(() => parseFormation("web,relay=x,other=1,release=2,web=101", types)),
    ).to.deep.equal([
      '"web" is not name=count with a count from 0 to 100',
      '"relay=x" is not name=count with a count from 0 to 100',
      'The Procfile has no process "other"; it has release, web, relay, delivery',
      '"release=2" is not name=count with a count from 0 to 1',
      '"web=101" is not name=count with a count from 0 to 100',
    ]);
  });
});

describe("planInstances", () => {
  const plan = (formation: string, port: number, metricsPort: number, mllpPort?: number) =>
    planInstances(types, parseFormation(formation, types), {
      ...{ port, metricsPort, host: "127.0.0.1", metricsHost: "127.0.0.2" },
      mllp: mllpPort === undefined ? undefined : { host: "10.0.0.1", port: mllpPort },
    });

  it("gives every web process its own port and every other process its own metrics port", () => {
    const instances = plan("web=2,delivery=2", 3000, 9464);
    expect(instances.map(({ label }) => label)).to.deep.equal([
      "release.1",
      "web.1",
      "web.2",
      "relay.1",
      "delivery.1",
      "delivery.2",
    ]);
    const of = (type: string) => instances.filter((each) => each.type === type);
    expect(of("web").map(({ env }) => env["PORT"])).to.deep.equal(["3000", "3001"]);
    const workers = [...of("relay"), ...of("delivery")];
    expect(workers.map(({ env }) => env["METRICS_PORT"])).to.deep.equal(["9464", "9465", "9466"]);
  });

  it("lets the system choose if the base is 0", () => {
    const envs = plan("web=2,delivery=2", 0, 0).map(({ env }) => env);
    expect(envs).to.deep.equal(Array.from({ length: 6 }, () => ({ PORT: "0", METRICS_PORT: "0" })));
  });

  it("gives the MLLP port to the first web process only", () => {
    const instances = plan("web=3", 3000, 9464, 2575);
    expect(instances.map(({ label, env }) => [label, env["MLLP_PORT"]])).to.deep.equal([
      ["release.1", "0"],
      ["web.1", "2575"],
      ["web.2", "0"],
      ["web.3", "0"],
      ["relay.1", "0"],
      ["delivery.1", "0"],
    ]);
    expect(plan("web=2", 3000, 9464)[1]?.env).to.not.have.property("MLLP_PORT");
  });

  it("lists the addresses of each process, without ports that the system chooses", () => {
    const host = "127.0.0.1";
    const listens = (mllpPort: number | undefined, port: number) =>
      plan("web=2,delivery=0", port, 9464, mllpPort).map((each) => each.listens);
    expect(listens(2575, 3000)).to.deep.equal([
      [],
      [
        { host, port: 3000 },
        { host: "10.0.0.1", port: 2575 },
      ],
      [{ host, port: 3001 }],
      [{ host: "127.0.0.2", port: 9464 }],
    ]);
    expect(listens(undefined, 0)).to.deep.equal([[], [], [], [{ host: "127.0.0.2", port: 9464 }]]);
  });

  it("rejects ports used twice or out of range", () => {
    expect(faultsOf(() => plan("web=3", 9463, 9464, 9465))).to.deep.equal([
      "web.1 and web.3 would both listen on port 9465: set PORT, METRICS_PORT or MLLP_PORT so that they differ",
      "web.2 and relay.1 would both listen on port 9464: set PORT, METRICS_PORT or MLLP_PORT so that they differ",
      "web.3 and delivery.1 would both listen on port 9465: set PORT, METRICS_PORT or MLLP_PORT so that they differ",
    ]);
    expect(faultsOf(() => plan("web=2", 65_535, 9464))).to.deep.equal([
      "web.2 would listen on port 65536: the highest is 65535",
    ]);
  });
});
