import { noContent, publicRoute, type PublicRequest, type PublicRoute } from "../http/route.ts";
import type { ProviderCalls } from "./callbacks.ts";
import type { CallbackRequest } from "./providers/provider.ts";

export type CallbackRoutesDeps = Readonly<{
  providerCalls: ProviderCalls;
  /** Public address without a slash at the end: what providers sign starts with it. */
  baseUrl: string;
}>;

type Params = { provider: string };

type Query = { id?: string };

const params = {
  type: "object",
  required: ["provider"],
  properties: { provider: { type: "string", enum: ["http", "twilio"] } },
};

/** Our key for the message, which we put into the address that a provider calls. */
const query = { type: "object", properties: { id: { type: "string", format: "uuid" } } };

/** Providers' forms and JSON objects are small. */
const common = {
  method: "POST",
  params,
  transport: "bytes",
  accepts: ["application/json", "application/x-www-form-urlencoded"],
  maxBodyBytes: 16 * 1024,
  limit: "callback",
  answer: { status: 204 },
  problems: ["forbidden"],
} as const;

/** Calls of SMS providers: no token, but a signature with a secret that only the provider has. */
export function callbackRoutes({ providerCalls, baseUrl }: CallbackRoutesDeps): PublicRoute[] {
  return [
    publicRoute<unknown, Params, Query>({
      ...common,
      path: "/sms/status/{provider}",
      operationId: "api.sms.status",
      summary: "What an SMS provider reports about a message",
      query,
      handle: async (request) => {
        await providerCalls.takeStatus(request.params.provider, toCallback(request, baseUrl));
        return noContent;
      },
    }),
    publicRoute<unknown, Params, Query>({
      ...common,
      path: "/sms/incoming/{provider}",
      operationId: "api.sms.incoming",
      summary: "An SMS that a provider received: STOP and START",
      handle: async (request) => {
        await providerCalls.takeIncoming(request.params.provider, toCallback(request, baseUrl));
        return noContent;
      },
    }),
  ];
}

function toCallback(
  { url, query: { id }, bytes = Buffer.alloc(0), header }: PublicRequest<unknown, Params, Query>,
  baseUrl: string,
): CallbackRequest {
  return { url: baseUrl + url, query: { id }, body: bytes, header };
}
