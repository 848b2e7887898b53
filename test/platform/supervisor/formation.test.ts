import { readFile } from "node:fs/promises";
import { expect } from "chai";
import {
  FormationError,
  parseFormation,
  parseProcfile,
  planInstances,
} from "../../../src/platform/supervisor/formation.ts";

const faultsOf = (work: () => unknown): readonly string[] => {
  try {
    work();
  } catch (thrown) {
    expect(thrown).to.be.instanceOf(FormationError);
    return (thrown as FormationError).faults;
  }
  throw new Error("It was expected to fail");
};

const types = [
  { name: "release", command: "a" },
  { name: "web", command: "b" },
  { name: "relay", command: "c" },
  { name: "delivery", command: "d" },
];

describe("parseProcfile", () => {
  it("keeps the processes in their order and skips comments and blank lines", () => {
    const text = "# all of them\nweb: node server.ts\r\n\nrelay: A=1 node relay.ts --x=y: z\n";
    expect(parseProcfile(text)).to.deep.equal([
      { name: "web", command: "node server.ts" },
      { name: "relay", command: "A=1 node relay.ts --x=y: z" },
    ]);
  });

  it("names every line that is wrong in one go", () => {
    expect(faultsOf(() => parseProcfile("web: a\nnonsense\nweb: b\nrelay:\n"))).to.deep.equal([
      'Procfile line 2 is not "name: command"',
      "Procfile line 3 names web a second time",
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
  it("runs once what is not named, and leaves out what is set to 0", () => {
    expect([...parseFormation("delivery=3, release=0", types)]).to.deep.equal([
      ["release", 0],
      ["web", 1],
      ["relay", 1],
      ["delivery", 3],
    ]);
  });

  it("names every fault in one go", () => {
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
  const plan = (formation: string, port: number, metricsPort: number) =>
    planInstances(types, parseFormation(formation, types), { port, metricsPort });

  it("gives every web process a port and every other one a metrics port of its own", () => {
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

  it("leaves the choice to the system where the base is 0", () => {
    const envs = plan("web=2,delivery=2", 0, 0).map(({ env }) => env);
    expect(envs).to.deep.equal(Array.from({ length: 6 }, () => ({ PORT: "0", METRICS_PORT: "0" })));
  });
});
