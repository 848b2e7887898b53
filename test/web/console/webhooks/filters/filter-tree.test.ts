import { expect } from "chai";
import { compileFilters } from "../../../../../src/contracts/filters.ts";
import { eventCatalogue } from "../../../../../src/subscriptions/event-catalogue.ts";
import {
  checkedOf,
  passes,
  searched,
  toggled,
  treeOf,
  type Catalogue,
  type FilterNode,
} from "../../../../../web/console/webhooks/filters/filter-tree.ts";

const tree = treeOf(eventCatalogue as unknown as Catalogue);

function allNodes(nodes: readonly FilterNode[]): FilterNode[] {
  return nodes.flatMap((node) => [node, ...allNodes(node.children)]);
}

function nodeOf(filter: string): FilterNode {
  const found = allNodes(tree).find((node) => node.filter === filter);
  if (found === undefined) {
    throw new Error(`There is no ${filter} in the tree`);
  }
  return found;
}

function tick(filters: readonly string[], filter: string): string[] {
  return toggled(filters, nodeOf(filter), { isOn: true, tree });
}
function untick(filters: readonly string[], filter: string): string[] {
  return toggled(filters, nodeOf(filter), { isOn: false, tree });
}

const everyEvent = allNodes(tree)
  .filter(({ children }) => children.length === 0)
  .map(({ object, event, eventType }) => ({ object, event: event ?? "", event_type: eventType }));

describe("the tree of filters", () => {
  it("matches exactly what the platform matches, for random filters", () => {
    const lists = [
      ...[["*"], ["*.create"], ["*.delete", "subscription.*"], ["ticket.*", "media.update"], []],
      ["conversationevent.create:media.OCRDone", "delivery.dead"],
      ["conversationevent.*"],
      ["conversationevent.*:ticket.new"],
    ];
    for (const filters of lists) {
      const platform = compileFilters(filters);
      for (const event of everyEvent) {
        const isThrough = platform({ ...event, eventType: event.event_type });
        expect(passes(filters, event), `${filters.join()} ${JSON.stringify(event)}`).to.equal(
          isThrough,
        );
      }
    }
  });

  it("is checked if all events are selected, and half checked for some", () => {
    expect(checkedOf(["ticket.*"], nodeOf("ticket.*"))).to.equal("all");
    expect(checkedOf(["ticket.create"], nodeOf("ticket.*"))).to.equal("some");
    expect(checkedOf(["media.*"], nodeOf("ticket.*"))).to.equal("none");
    expect(checkedOf(["*"], nodeOf("conversationevent.create:ticket.new"))).to.equal("all");
    expect(checkedOf(["*"], nodeOf("delivery.*"))).to.equal("none");
    expect(
      checkedOf(["conversationevent.create:ticket.new"], nodeOf("conversationevent.*")),
    ).to.equal("some");
  });

  it("selects a whole object with one filter, and drops the narrower ones", () => {
    expect(tick(["ticket.create", "media.update"], "ticket.*")).to.deep.equal([
      "media.update",
      "ticket.*",
    ]);
  });

  it("removes one event from a wildcard and keeps the others", () => {
    expect(untick(["ticket.*"], "ticket.delete")).to.deep.equal(["ticket.create", "ticket.update"]);
    expect(untick(["*"], "media.*")).to.deep.equal([
      ...["ticket.*", "conversation.*", "smsmessage.*", "conversationevent.*"],
    ]);
    expect(untick(["*.create"], "ticket.create")).to.deep.equal([
      ...["media.create", "smsmessage.create", "conversationevent.create"],
    ]);
  });

  it("removes one type of timeline entry from any wildcard", () => {
    for (const wide of ["conversationevent.create", "conversationevent.*", "*"]) {
      const after = untick([wide], "conversationevent.create:ticket.closed");
      expect(after).not.to.include(wide);
      for (const event of everyEvent) {
        const isOut = event.event_type === "ticket.closed";
        expect(passes(after, event), `${wide} ${JSON.stringify(event)}`).to.equal(
          passes([wide], event) && !isOut,
        );
      }
    }
  });

  it("is unchanged after a check and an uncheck", () => {
    for (const node of allNodes(tree)) {
      const before = ["smsmessage.update"];
      if (!node.leaves.some(({ object }) => object === "smsmessage")) {
        expect(untick(tick(before, node.filter), node.filter)).to.deep.equal(before);
      }
    }
  });

  it("is searchable by name and description, with the parents of matches", () => {
    const words = (node: FilterNode): string => node.meaning;
    const found = searched(tree, "OCRDone", words);
    expect(found.map(({ filter }) => filter)).to.deep.equal(["conversationevent.*"]);
    expect(allNodes(found).map(({ filter }) => filter)).to.deep.equal([
      "conversationevent.*",
      "conversationevent.create",
      "conversationevent.create:media.OCRDone",
    ]);
    expect(searched(tree, "gave up nothing like this", words)).to.deep.equal([]);
    expect(searched(tree, " ", words)).to.have.length(tree.length);
  });
});
