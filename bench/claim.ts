/** `node --import tsx bench/claim.ts`: the cost of claims alone. Also part of `npm run bench`. */
import { runBench } from "./support/run-bench.ts";
import { claimTable } from "./report.ts";
import { measureClaims } from "./scenarios/claim.ts";

await runBench(async ({ stack, print }) => {
  print(claimTable(await measureClaims(stack, { rounds: 3, count: 3_000 }), undefined));
});
