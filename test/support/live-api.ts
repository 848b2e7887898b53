import type { AnyRoute, Caller } from "../../src/http/route.ts";
import { systemClock, type Clock } from "../../src/platform/clock.ts";
import type { Db } from "../../src/platform/db/pool.ts";
import { liveRoutes } from "../../src/deliveries/live/routes.ts";
import { createLive } from "../../src/deliveries/live/service.ts";
import type { StreamTimes } from "../../src/deliveries/pull/stream.ts";
import { seriesRoutes } from "../../src/deliveries/series.ts";
import { createCallers, serveCallers, type Call } from "./callers-api.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export type LiveApi = {
  as(caller: Caller): Call;
  revoke(caller: Caller): void;
  /** Opens the live stream. */
  open(caller: Caller, query?: string): Promise<Response>;
  /** Ends the streams, like the first step of a process stop. */
  stop(): void;
  close(): Promise<void>;
};

export type LiveApiOptions = {
  times?: StreamTimes;
  everyMs?: number;
  clock?: Clock;
  routes?: readonly AnyRoute[];
};

/** The live view and its time series on a real HTTP server, with the real router. */
export async function startLiveApi(
  db: Db,
  { times, everyMs = 100, clock = systemClock, routes = [] }: LiveApiOptions = {},
): Promise<LiveApi> {
  const callers = createCallers();
  const stopping = new AbortController();
  const live = createLive({
    ...{ db, clock, everyMs },
    log: silent as never,
    recheck: ({ token }) => callers.authenticate(token),
    stopping: stopping.signal,
    ...(times === undefined ? {} : { times }),
  });
  const api = await serveCallers(
    [...routes, ...liveRoutes(live), ...seriesRoutes({ db, clock })],
    callers,
  );
  return {
    as: api.as,
    revoke: callers.revoke,
    open: (caller, query = "?events=2") => {
      callers.admit(caller);
      const headers = { authorization: `Bearer ${caller.token}`, accept: "text/event-stream" };
      return fetch(`${api.url}/webhooks/live${query}`, { headers });
    },
    stop: () => stopping.abort(),
    close: async () => {
      stopping.abort();
      await api.close();
    },
  };
}
