import { expect } from "chai";
import { type Tenant } from "../support/tenant.ts";
import { aTenantChat } from "../support/tenant-objects.ts";
import { aTenantRoom } from "../support/tenant-rooms.ts";
import { expectFieldFault } from "../support/problem-shape.ts";
import { useWholeApi, type ApiAnswer } from "../support/whole-api.ts";
import type { Ids } from "./routes/kinds.ts";
import { pathOf } from "./targets.ts";
import { textOf, useFixture } from "./fixture.ts";
import { fillTenant } from "./filled-tenant.ts";

type List = Readonly<{
  /** The largest `limit`. */
  most: 100 | 1_000;
  orderby?: readonly string[];
  hasOrder?: true;
  /** The largest `offset`, if it is limited. */
  farthest?: number;
  query?: (tenant: Tenant) => string;
}>;

const dated = ["date", "modified", "id"] as const;
const started = ["date", "modified", "start_time", "id"] as const;
const ordered = { most: 100, hasOrder: true } as const;

/** Every paged operation, as an independent list. */
const lists: Readonly<Record<string, List>> = {
  "GET /users": { ...ordered, orderby: dated },
  "GET /enterprises": { ...ordered, orderby: dated },
  "GET /enterprises/{enterpriseId}/users": { ...ordered, orderby: dated },
  "GET /enterprises/{enterpriseId}/services": { ...ordered, orderby: dated },
  "GET /enterprises/{enterpriseId}/user-groups": { most: 100 },
  "GET /enterprises/{enterpriseId}/audit": ordered,
  "GET /enterprises/{enterpriseId}/api-tokens": { most: 100 },
  "GET /services": { ...ordered, orderby: dated },
  "GET /tickets": { most: 1_000, hasOrder: true, orderby: started },
  "GET /tickets/{ticketId}/events": { most: 1_000, hasOrder: true },
  "GET /tickets/{ticketId}/messages": ordered,
  "GET /tickets/{ticketId}/sessions": ordered,
  "GET /tickets/{ticketId}/medias": { ...ordered, orderby: dated },
  "GET /enterprises/{enterpriseId}/tickets/{ticketId}/medias": { ...ordered, orderby: dated },
  "GET /conferences": { ...ordered, orderby: started },
  "GET /conferences/{conferenceId}/participants": { most: 100 },
  "GET /conferences/{conferenceId}/sessions": ordered,
  "GET /conferences/{conferenceId}/media": { ...ordered, orderby: dated },
  "GET /hl7/messages": { most: 100 },
  "GET /conversations": { ...ordered, orderby: ["date", "id"] },
  "GET /conversations/{conversationId}/messages": ordered,
  "GET /conversations/{conversationId}/timeline": { most: 1_000, hasOrder: true },
  "GET /sessions": {
    ...{ most: 1_000, hasOrder: true, orderby: ["date", "start_time"] },
    // The default period is the current day, which has no sessions just after midnight.
    query: ({ serviceKey }) =>
      `service_key=${serviceKey}&type=ticket&since=${daysFromNow(-1)}&until=${daysFromNow(1)}&`,
  },
  "GET /rooms": ordered,
  "GET /medias": { ...ordered, orderby: dated },
  "GET /sms": { ...ordered, orderby: dated },
  "GET /emails": { ...ordered, orderby: dated },
  "GET /webhooks/{webhookId}/deliveries": { most: 100, farthest: 10_000 },
  "GET /webhooks/replays": { most: 100 },
  "GET /guest/messages": ordered,
};

type PlaceAfter = {
  next_cursor?: string | null;
  next?: string | number | null;
  has_more?: boolean;
};

type CursorList = Readonly<{
  most: 200 | 100 | 1_000;
  parameter: "cursor" | "after" | "from";
  /** The parameter value for the next page; undefined on the last page. */
  next: (body: PlaceAfter) => string | number | undefined;
}>;

function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

const byCursor = {
  parameter: "cursor",
  next: ({ next_cursor: next }: PlaceAfter) => next ?? undefined,
} as const;

/** Operations with keyset pagination, whose pages do not shift when rows are added. */
const cursorLists: Readonly<Record<string, CursorList>> = {
  "GET /enterprises/{enterpriseId}/tickets-stats/rows": {
    ...{ most: 100, parameter: "after" },
    next: ({ next }) => next ?? undefined,
  },
  "GET /webhooks/deliveries": { ...byCursor, most: 200 },
  "GET /webhooks/{webhookId}/deliveries": { ...byCursor, most: 100 },
  "GET /webhooks/{webhookId}/events": {
    ...{ most: 1_000, parameter: "after" },
    next: ({ has_more: hasMore, next }) => (hasMore === true ? (next ?? undefined) : undefined),
  },
  "GET /webhooks/{webhookId}/manifest": {
    ...{ most: 1_000, parameter: "from" },
    next: ({ next }) => next ?? undefined,
  },
};

function itemsOf({ body }: ApiAnswer): object[] {
  return (Array.isArray(body) ? body : (body.data ?? body.medias)) as object[];
}

function totalOf({ body, headers }: ApiAnswer): number {
  return (body.total ?? body.count ?? Number(headers.get("x-total-count"))) as number;
}

describe("paged lists", () => {
  const api = useWholeApi();
  const fixture = useFixture(api);
  let ids: Ids;
  let roomToken: string;
  before("fill two enterprises", async () => {
    ids = await fillTenant(api, fixture.get.own);
    await fillTenant(api, fixture.get.foreign);
    const room = await aTenantRoom(api.db, fixture.get.own, "requestor");
    roomToken = room.token;
    for (let i = 0; i < 3; i += 1) {
      await aTenantChat(api.db, fixture.get.own, room.guest);
    }
  });

  it("are those with a limit parameter", () => {
    const paged = api.routes
      .filter(({ query }) => Object.hasOwn(query?.["properties"] ?? {}, "limit"))
      .map(({ method, path }) => `${method} ${path}`);
    const known = new Set([...Object.keys(lists), ...Object.keys(cursorLists)]);
    expect([...known].toSorted()).to.deep.equal(paged.toSorted());
  });

  // The fixture removes webhooks after each test, but this one is needed by all of them.
  beforeEach("keep the webhook", async () => {
    await api.db("subscriptions").where({ id: ids["webhookId"] }).update({ deleted_at: null });
  });

  const reader = (name: string, query?: List["query"]) => {
    const ask = (text: string): Promise<ApiAnswer> => {
      const { own } = fixture.get;
      const path = pathOf(name.replace("GET ", ""), ids);
      const token = name.startsWith("GET /guest/") ? roomToken : own.members.admin.token;
      return api.call(`GET /api${path}?${query?.(own) ?? ""}${text}`, { token });
    };
    const get = async (text: string): Promise<ApiAnswer> => {
      const answer = await ask(text);
      expect(answer.status, `${text}: ${answer.text}`).to.equal(200);
      expect(textOf(answer)).to.not.contain(fixture.get.foreign.mark);
      return answer;
    };
    return { ask, get };
  };

  for (const [name, { most, parameter, next }] of Object.entries(cursorLists)) {
    describe(`${name} by its ${parameter}`, () => {
      const { ask, get } = reader(name);

      it("has pages without gaps or duplicates", async () => {
        const all = itemsOf(await get(`limit=${most}`));
        expect(all).to.have.length.at.least(4);
        const pages: object[] = [];
        let place: string | number | undefined;
        for (let turn = 0; turn < all.length; turn += 1) {
          const page = await get(place === undefined ? "limit=1" : `limit=1&${parameter}=${place}`);
          expect(itemsOf(page)).to.have.length(1);
          pages.push(...itemsOf(page));
          place = next(page.body);
          expect(place === undefined, `${place}`).to.equal(turn === all.length - 1);
        }
        expect(pages).to.deep.equal(all);
      });

      it(`accepts a limit of at most ${most}, and says so`, async () => {
        for (const limit of [0, -1, most + 1]) {
          expect(expectFieldFault(await ask(`limit=${limit}`))).to.deep.equal(["limit"]);
        }
      });
    });
  }

  for (const [name, { most, orderby = [], hasOrder, farthest, query }] of Object.entries(lists)) {
    describe(name, () => {
      const { ask, get } = reader(name, query);

      it("has pages without gaps or duplicates, and a total", async () => {
        const all = await get(`limit=${most}`);
        const total = itemsOf(all).length;
        expect(total).to.be.at.least(name === "GET /enterprises" ? 2 : 3);
        const pages: object[] = [];
        for (let offset = 0; offset < total; offset += 1) {
          const page = await get(`limit=1&offset=${offset}`);
          expect(totalOf(page)).to.equal(total);
          expect(page.headers.get("x-total-count")).to.equal(String(total));
          const link = page.headers.get("link") ?? "";
          expect(link.includes('rel="next"')).to.equal(offset < total - 1);
          expect(link.includes('rel="prev"')).to.equal(offset > 0);
          pages.push(...itemsOf(page));
        }
        // URLs of files are signed again for every response.
        const bare = (items: object[]) => items.map((item) => ({ ...item, url: "" }));
        expect(bare(pages)).to.deep.equal(bare(itemsOf(all)));
        const beyond = await get(`limit=1&offset=${total + 5}`);
        expect(itemsOf(beyond)).to.deep.equal([]);
        expect(beyond.headers.get("x-total-count")).to.equal(String(total));
      });

      it(`accepts a limit of at most ${most}, and says so`, async () => {
        for (const limit of [0, -1, most + 1]) {
          expect(expectFieldFault(await ask(`limit=${limit}`))).to.deep.equal(["limit"]);
        }
        for (const offset of [-1, (farthest ?? 1_000_000_000) + 1]) {
          expect(expectFieldFault(await ask(`offset=${offset}`))).to.deep.equal(["offset"]);
        }
      });

      if (hasOrder === true) {
        it("is reversed by the order, for every sort key", async () => {
          for (const by of orderby.length === 0
            ? [""]
            : orderby.map((word) => `orderby=${word}&`)) {
            const idsIn = async (order: string) =>
              itemsOf(await get(`${by}order=${order}&limit=${most}`)).map(
                (item) => item["id" as never],
              );
            const up = await idsIn("asc");
            expect(await idsIn("desc"), by).to.deep.equal(up.toReversed());
          }
          expect(expectFieldFault(await ask("order=up"))).to.deep.equal(["order"]);
        });
      }
    });
  }
});
