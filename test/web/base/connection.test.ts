import { expect } from "chai";
import { createConnection } from "../../../web/base/connection.ts";

/** A connection with controllable timers and probes. */
function aConnection() {
  const scheduled: { run: () => void; ms: number }[] = [];
  const probes: ((isBack: boolean) => void)[] = [];
  const connection = createConnection({
    probe: () => new Promise((resolve) => probes.push(resolve)),
    random: () => 1,
    nowMs: () => 0,
    schedule: (run, ms) => {
      scheduled.push({ run, ms });
      return () => undefined;
    },
  });
  return {
    connection,
    waits: () => scheduled.map(({ ms }) => ms),
    probes,
    passTime: () => scheduled.at(-1)?.run(),
    answer: async (isBack: boolean) => {
      probes.at(-1)?.(isBack);
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

describe("the connection monitor of a tab", () => {
  it("runs one probe for any number of failed calls, with backoff until the platform responds", async () => {
    const { connection, waits, probes, passTime, answer } = aConnection();
    const seen: boolean[] = [];
    connection.subscribe(() => seen.push(connection.state().isAway));
    connection.reportAway();
    connection.reportAway();
    expect(waits()).to.deep.equal([1_000]);
    for (const wait of [2_000, 4_000, 8_000]) {
      passTime();
      await answer(false);
      expect(waits().at(-1)).to.equal(wait);
    }
    expect(probes).to.have.length(3);
    passTime();
    await answer(true);
    expect(connection.state()).to.deep.equal({ isAway: false });
    expect(seen.at(-1)).to.equal(false);
  });

  it("continues with long delays if calls fail although the probe succeeds", async () => {
    const { connection, waits, passTime, answer } = aConnection();
    for (const wait of [1_000, 2_000, 4_000]) {
      connection.reportAway();
      expect(waits().at(-1)).to.equal(wait);
      passTime();
      await answer(true);
    }
    connection.reportAnswer();
    connection.reportAway();
    expect(waits().at(-1)).to.equal(1_000);
  });

  it("is online again after any successful call", () => {
    const { connection } = aConnection();
    connection.reportAway();
    connection.reportAnswer();
    expect(connection.state().isAway).to.equal(false);
  });

  it("probes immediately on request, and never twice at a time", () => {
    const { connection, probes } = aConnection();
    connection.probeNow();
    expect(probes).to.have.length(0);
    connection.reportAway();
    connection.probeNow();
    connection.probeNow();
    expect(probes).to.have.length(1);
  });
});
