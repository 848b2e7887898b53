import { expect } from "chai";
import { Problem } from "../../src/contracts/problems.ts";
import { knownTotal, pageHeaders, parsePage } from "../../src/http/paging.ts";

const rule = { defaultLimit: 10, maxLimit: 100 };

describe("paging", () => {
  it("defaults to the default limit and the first page", () => {
    expect(parsePage({}, rule)).to.deep.equal({ limit: 10, offset: 0 });
  });

  for (const [query, field] of [
    [{ limit: 101 }, "limit"],
    [{ limit: 0 }, "limit"],
    [{ limit: -1 }, "limit"],
    [{ limit: 1.5 }, "limit"],
    [{ offset: -1 }, "offset"],
    [{ offset: 2 ** 53 }, "offset"],
  ] as const) {
    it(`rejects ${JSON.stringify(query)} and names the ${field}`, () => {
      const call = () => parsePage(query, rule);
      expect(call).to.throw(Problem).with.property("details", `Parameter ${field}`);
    });
  }

  it("derives the total from a page that is not full", () => {
    expect(knownTotal({ limit: 10, offset: 20 }, 3)).to.equal(23);
    expect(knownTotal({ limit: 10, offset: 0 }, 0)).to.equal(0);
  });

  it("does not derive the total from a full page or a page after the end", () => {
    expect(knownTotal({ limit: 10, offset: 20 }, 10)).to.equal(undefined);
    expect(knownTotal({ limit: 10, offset: 20 }, 0)).to.equal(undefined);
  });

  it("links to the existing pages and keeps the other parameters", () => {
    const url = "/api/tickets?state=new&limit=10&offset=10";
    const headers = pageHeaders(url, { limit: 10, offset: 10 }, 35);
    expect(headers).to.deep.equal({
      "X-Total-Count": "35",
      Link: [
        '</api/tickets?state=new&limit=10&offset=0>; rel="first"',
        '</api/tickets?state=new&limit=10&offset=0>; rel="prev"',
        '</api/tickets?state=new&limit=10&offset=20>; rel="next"',
        '</api/tickets?state=new&limit=10&offset=30>; rel="last"',
      ].join(", "),
    });
  });

  it("links to the last page that follows from any offset, and back from beyond it", () => {
    const linksAt = (offset: number, total: number) => {
      const { Link = "" } = pageHeaders("/api/tickets", { limit: 3, offset }, total);
      return [...Link.matchAll(/offset=(\d+)>; rel="(\w+)"/gu)].map(
        ([, at, rel]) => `${rel} ${at}`,
      );
    };
    expect(linksAt(2, 7)).to.deep.equal(["first 0", "prev 0", "next 5", "last 5"]);
    expect(linksAt(5, 7)).to.deep.equal(["first 0", "prev 2", "last 5"]);
    expect(linksAt(47, 7)).to.deep.equal(["first 0", "prev 5", "last 5"]);
    expect(linksAt(2, 2)).to.deep.equal(["first 0", "prev 0", "last 0"]);
    expect(linksAt(48, 7)).to.deep.equal(["first 0", "prev 6", "last 6"]);
  });

  it("links to no previous or next page if everything fits on one", () => {
    const { Link } = pageHeaders("/api/tickets", { limit: 10, offset: 0 }, 10);
    expect(Link).to.equal(
      '</api/tickets?limit=10&offset=0>; rel="first", </api/tickets?limit=10&offset=0>; rel="last"',
    );
  });

  it("links to the only page of an empty list", () => {
    const { Link } = pageHeaders("/api/tickets", { limit: 10, offset: 0 }, 0);
    expect(Link).to.contain('offset=0>; rel="last"').and.not.contain("next");
  });

  it("does not let the client's query inject a second link", () => {
    const url = '/api/tickets?x=>; rel="next", <https://evil.example/';
    const { Link } = pageHeaders(url, { limit: 10, offset: 0 }, 10);
    expect(Link?.match(/rel="/gu)).to.have.length(2);
  });
});
