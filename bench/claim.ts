/** `node --import tsx bench/claim.ts`: the cost of claims alone. Also part of `npm run bench`. */
import { runBench } from "./support/run-bench.ts";
import { claimTable } from "./report/pipeline-tables.ts";
import { renderText } from "./report/table.ts";
import { measureClaims } from "./scenarios/claim.ts";

await runBench(async ({ stack, print }) => {
  const results = await measureClaims(stack, { rounds: 3, count: 3_000 });
  print(renderText(claimTable(results, undefined)));
});
