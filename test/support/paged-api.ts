import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** The base of relative addresses in the `fetch` of Node, as in `setGlobalOrigin` of undici. */
const originKey = Symbol.for("undici.globalOrigin.1");

export type PagedApi = Readonly<{
  /** Paths with queries, in the order of the requests. */
  asked: readonly string[];
  stop(): Promise<void>;
}>;

type List = readonly unknown[];

/** By path: a list, or what computes the list of a request. */
type Lists = Readonly<Record<string, List | ((asked: URL) => List)>>;

/**
 * Serves lists by path with the API's paging. A list in `bare` is answered as an array in pages of
 * 1,000.
 */
export function startPagedApi(lists: Lists, bare: Lists = {}): Promise<PagedApi> {
  return startJsonApi((address) => {
    const { pathname, searchParams } = address;
    const list = lists[pathname];
    const found = list ?? bare[pathname] ?? [];
    const items = typeof found === "function" ? found(address) : found;
    const offset = Number(searchParams.get("offset") ?? 0);
    const limit = Number(searchParams.get("limit") ?? (list === undefined ? 1_000 : 10));
    const data = items.slice(offset, offset + limit);
    return list === undefined ? data : { total: items.length, data };
  });
}

/**
 * Answers every request with JSON, and lets `fetch` resolve relative addresses to it, as on a page
 * of the server.
 */
export async function startJsonApi(
  answerOf: (asked: URL, body: string) => unknown,
): Promise<PagedApi> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { url = "" } = request;
    asked.push(url);
    void text(request).then((body) => {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(answerOf(new URL(url, "http://localhost"), body)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  Reflect.set(globalThis, originKey, new URL(`http://127.0.0.1:${port}`));
  return {
    asked,
    async stop() {
      Reflect.deleteProperty(globalThis, originKey);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Items with the ids 1 to `count`. */
export function numbered(count: number): { id: number }[] {
  return Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
}
