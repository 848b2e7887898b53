/**
 * Runs the samples of the README and of the tour on a new platform, as a reader would paste them.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { fencesOf, readPage, sectionOf } from "../support/markdown.ts";
import { removePlatform, startPlatform, type Platform } from "../support/shared-platform.ts";

const run = promisify(execFile);

describe("the newcomer's samples", function () {
  this.timeout(120_000);
  let platform: Platform;
  before("start a platform", async () => {
    platform = await startPlatform({
      ADMIN_PASSWORD: "Tour-admin-1",
      AGENT_PASSWORD: "Tour-agent-1",
    });
  });
  after("stop it", () => removePlatform(platform));

  /** The output of a shell that stops at the first failing command. */
  const shell = async (text: string): Promise<string> => {
    const here = text.replaceAll("http://127.0.0.1:3000", platform.url);
    const { stdout } = await run("bash", ["-eo", "pipefail", "-c", here]);
    return stdout;
  };

  it("create a ticket as in the README", async () => {
    const section = sectionOf(await readPage("README.md"), "A first webhook");
    const [sample = ""] = fencesOf(section, "sh");
    const printed = await shell(sample.replace("password=…", "password=Tour-agent-1"));
    expect(JSON.parse(printed)).to.include({ state: "new" });
  });

  it("show a failing receiver, and explain an event, as in the tour", async () => {
    const [start = "", ...samples] = fencesOf(await readPage("docs/tour.md"), "sh");
    expect(start).to.contain("npm start");
    // On a busy machine, the attempt takes longer than the tour's sleep of one second.
    const attempts = '"$base/api/webhooks/1/deliveries?limit=1" -H "Authorization: Bearer $admin"';
    const untilFailed = `until curl -s ${attempts} | grep -q '"last_code":500'; do sleep 0.2; done`;
    const tour = samples.join("\n");
    expect(tour).to.contain("sleep 1; curl");
    const printed = await shell(tour.replace("sleep 1;", `${untilFailed};`));
    expect(printed)
      .to.match(/^ticket \d+$/mu)
      .and.match(/^invited$/mu)
      .and.match(/last_code: 500/u)
      .and.match(/^false$/mu)
      .and.match(/^true$/mu);
  });
});
