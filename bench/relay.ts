/** `node --import tsx bench/relay.ts`: the cost of the fan-out by one relay, and by two in shards. */
import { renderText, table } from "./report/table.ts";
import { measureRelays } from "./scenarios/relay.ts";
import { runBench } from "./support/run-bench.ts";

await runBench(async ({ stack, print }) => {
  const results = await measureRelays(stack, { rounds: 5, events: 10_000, enterprises: 100 });
  print(
    renderText(
      table(
        "The fan-out alone",
        [
          "relays",
          "shards",
          "events per second",
          "CPU µs per event",
          "statements per 1,000 events",
        ],
        results.map((one) => [
          String(one.relays),
          String(one.shards),
          one.eventsPerSecond,
          one.cpuUsPerEvent,
          one.statementsPerThousand,
        ]),
      ),
    ),
  );
});
