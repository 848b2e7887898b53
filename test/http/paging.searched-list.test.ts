import { expect } from "chai";
import { createBoundedSearch } from "../../src/http/paging.ts";

const scope = { enterpriseId: 1, userId: 7, groupIds: [], reach: "all" } as const;

describe("searchable list", () => {
  /** A list of `stored` items whose searches wait until they are released. */
  const setUp = (stored: number) => {
    const asked: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const list = createBoundedSearch<{ search: string | undefined }, object, number>(
      {
        list: async (_scope, { search }, { limit, offset }) => {
          asked.push("list");
          await (search === undefined ? undefined : held);
          return Array.from({ length: stored }, (_, index) => index).slice(offset, offset + limit);
        },
        count: async () => {
          asked.push("count");
          return stored;
        },
      },
      { perTenant: 2, total: 3 },
    );
    return { list, asked, release: release };
  };

  it("counts only if the page does not reveal the total", async () => {
    const { list, asked } = setUp(12);
    const all = { search: undefined };
    expect(await list(scope, all, { limit: 5, offset: 10 })).to.deep.equal({
      total: 12,
      items: [10, 11],
    });
    expect(asked).to.deep.equal(["list"]);
    expect((await list(scope, all, { limit: 5, offset: 0 })).total).to.equal(12);
    expect((await list(scope, all, { limit: 5, offset: 20 })).total).to.equal(12);
    expect(asked).to.deep.equal(["list", "list", "count", "list", "count"]);
  });

  it("queues searches, but not plain lists", async () => {
    const { list, asked, release } = setUp(4);
    const page = { limit: 10, offset: 0 };
    const searches = [1, 2, 3].map(() => list(scope, { search: "jane" }, page));
    expect(asked).to.deep.equal(["list", "list"]);
    expect((await list(scope, { search: undefined }, page)).total).to.equal(4);
    release();
    expect((await Promise.all(searches)).map(({ total }) => total)).to.deep.equal([4, 4, 4]);
    expect(asked).to.have.length(4);
  });
});
