import http from "node:http";
import https from "node:https";
import { got, type Options, type Request } from "got";
import type { HttpClient } from "./exchange.ts";
import type { Progress } from "./failures.ts";
import { isUnansweredReuse } from "./guarded-agents.ts";
import type { NativeOptions, Target } from "./native-options.ts";
import { createSendClient, type SendClientOptions } from "./send-client.ts";
import type { Phases, SendClient } from "./send-types.ts";

/** Streams, not promises: half the cost, and an answer can be cut without losing its status. */
const client = got.extend({
  method: "POST",
  retry: { limit: 0 },
  throwHttpErrors: false,
  followRedirect: false,
  decompress: false,
  http2: false,
  handlers: [
    (options, next) => {
      useReadyOptions(options);
      return next(options);
    },
  ],
  request: (_url, options) => startNative(options as unknown as NativeOptions),
});

const gotClient: HttpClient<Request> = {
  start: (target, native, body) =>
    client(target.href, { isStream: true, body, context: { native } }),
  progress: progressOf,
  phases: phasesOf,
  isUnansweredReuse: ({ reusedSocket, socket }) =>
    reusedSocket === true && isUnansweredReuse(socket),
};

/** The `Send` of the platform: got, behind the guarded agents. */
export function createGotSend(options: SendClientOptions): SendClient {
  return createSendClient(options, gotClient);
}

function startNative(native: NativeOptions): http.ClientRequest {
  return native.protocol === "https:" ? https.request(native) : http.request(native);
}

/**
 * got makes an object of forty native options for each request, nearly all of them undefined, and
 * Node then copies it three times: two thirds of what a request costs. Here the few options that
 * matter come ready made, and what got would add to them never existed.
 */
function useReadyOptions(options: Options): void {
  const { native } = options.context;
  Object.assign(options, { createNativeRequestOptions: () => native });
}

/** got repeats a pooled socket's old connection times with each request: those are left out. */
function phasesOf(flight: Request, { isNamed }: Target): Omit<Phases, "total"> {
  const phases = flight.timings?.phases;
  const isNew = flight.reusedSocket !== true;
  return {
    ...(isNew && isNamed ? phase("dns", phases?.dns) : {}),
    ...(isNew ? phase("connect", phases?.tcp) : {}),
    ...(isNew ? phase("tls", phases?.tls) : {}),
    ...phase("firstByte", phases?.firstByte),
  };
}

function phase(name: keyof Phases, value: number | undefined): Partial<Phases> {
  return value !== undefined && value >= 0 ? { [name]: value } : {};
}

function progressOf(flight: Request, { isNamed, protocol }: Target): Progress {
  const timings = flight.timings;
  if (timings?.connect === undefined) {
    const isAsking = timings?.socket !== undefined && timings.lookup === undefined;
    return isNamed && isAsking ? "resolving" : "connecting";
  }
  return protocol === "https:" && timings.secureConnect === undefined ? "connecting" : "waiting";
}
