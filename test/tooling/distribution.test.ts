/**
 * Pipeline statements that do not name the enterprise whose rows they access. Most find rows by id,
 * or process several enterprises in one batch. A distribution by `enterprise_id` would need it in
 * each of them, and other indexes (docs/decisions/055).
 */
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { expect } from "chai";
import ts from "typescript";
import { listFiles } from "../run/files.ts";

const root = "src/pipeline";

/** Their number by file. A number may only decrease, and no file may be added. */
const withoutEnterprise: Record<string, number> = {
  "ledger/attempt-feed.ts": 2,
  "ledger/backlog-states.ts": 11,
  "ledger/claim.ts": 2,
  "ledger/delete-old.ts": 2,
  "ledger/due-subscriptions.ts": 3,
  "ledger/enqueue-due.ts": 4,
  "ledger/health.ts": 4,
  "ledger/notices.ts": 2,
  "ledger/predecessors.ts": 1,
  "ledger/queries/backlog-counts.ts": 4,
  "ledger/queries/deliveries.ts": 1,
  "ledger/queries/delivery-streams.ts": 3,
  "ledger/queries/event-deliveries.ts": 3,
  "ledger/queries/events.ts": 1,
  "ledger/queries/indexed-lookup.ts": 3,
  "ledger/queries/live.ts": 1,
  "ledger/queries/metrics-queries.ts": 4,
  "ledger/queries/pull.ts": 2,
  "ledger/queries/reconciliation.ts": 3,
  "ledger/queries/replay-candidates.ts": 4,
  "ledger/record-results.ts": 2,
  "ledger/redact.ts": 7,
  "ledger/release-successors.ts": 2,
  "ledger/replay-deliveries.ts": 4,
  "ledger/requeue.ts": 6,
  "ledger/retry-now.ts": 4,
  "ledger/switch-off.ts": 1,
  "relay/relay.ts": 2,
  "relay/subscription-rules.ts": 1,
  "schedule/backlog.ts": 1,
  "schedule/retention.ts": 1,
  "schedule/tallies.ts": 1,
};

const namesTable =
  /\b(?:FROM|JOIN|UPDATE|INTO|USING)\s+(?:ONLY\s+)?(?:events|outbox|outbox_dead|deliveries|attempts|subscriptions|subscription_health|subscription_revisions|delivery_tallies|replays)\b/u;

/** The SQL statements in a file, or parts of them: its string and template literals. */
function literalsOf(source: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      found.push(node.text);
    } else if (ts.isTemplateExpression(node)) {
      found.push(
        [node.head, ...node.templateSpans.map((span) => span.literal)]
          .map(({ text }) => text)
          .join("…"),
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

async function countWithout(file: string): Promise<number> {
  const text = await readFile(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  return literalsOf(source).filter(
    (literal) => namesTable.test(literal) && !/\benterprise_?id\b/iu.test(literal),
  ).length;
}

describe("the pipeline statements that do not name the enterprise", () => {
  it("are no more than listed", async () => {
    const files = await listFiles([root]);
    const counts = await Promise.all(files.map(countWithout));
    const tooMany = files.flatMap((file, index) => {
      const name = relative(root, file);
      const count = counts[index] ?? 0;
      return count > (withoutEnterprise[name] ?? 0) ? [`${name}: ${count}`] : [];
    });
    expect(tooMany).to.deep.equal([]);
    expect(counts.reduce((sum, count) => sum + count, 0)).to.be.greaterThan(0);
  });
});
