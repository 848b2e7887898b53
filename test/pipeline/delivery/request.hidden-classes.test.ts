import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";

const run = promisify(execFile);

/** Twice what Node does per file that it loads. */
const times = 1_500;

/** V8 since Node 22 shares these hidden classes by itself. */
const isNode20 = process.versions.node.startsWith("20.");

/**
 * How often V8 made a hidden class for one object only, by the place in the code and the member. In
 * V8's log, an addition to a hidden class that no other object can reach is marked "prototype".
 */
function ownClassesIn(log: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of log.split("\n")) {
    const [kind, event, , , , , row, column, mark, member] = line.split(",");
    if (kind === "map" && event === "Transition" && mark === "prototype") {
      const place = `${row}:${column} ${member}`;
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
  }
  return counts;
}

describe("the objects of a delivery", () => {
  it("share their hidden classes with those of other deliveries", async function () {
    this.timeout(60_000);
    const folder = await mkdtemp(join(tmpdir(), "sightline-maps-"));
    try {
      const log = join(folder, "v8.log");
      await run(process.execPath, [
        ...["--log-maps", "--no-logfile-per-isolate", `--logfile=${log}`],
        ...["--import", "tsx", "test/support/hot-objects.ts", String(times)],
      ]);
      const text = await readFile(log, "utf8");
      expect(text, "V8 logs hidden classes").to.contain("map,Transition");
      const ofEachDelivery = [...ownClassesIn(text)].filter(([, count]) => count >= times * 0.8);
      const members = ofEachDelivery.map(([place]) => place.split(" ")[1]);
      expect(members).to.deep.equal(isNode20 ? ["badExample"] : []);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
