import { pageHeaders, parsePage } from "../http/paging.ts";
import { orderedPageSchema, type OrderedPageQuery } from "../http/request-schema.ts";
import { created, guestRoute, ok, type GuestRoute, type RoomRole } from "../http/route.ts";
import type { ChatMessages } from "./messages.ts";
import { presentGuestMessage } from "./present.ts";
import {
  guestMessageAnswer,
  guestMessageListAnswer,
  messageBody,
  type MessageBody,
} from "./schema.ts";

/** Everybody but who waits: nothing of a meeting reaches them. */
const roles: readonly RoomRole[] = ["agent", "requestor", "organizer", "moderator", "participant"];

type Deps = Readonly<{ messages: Pick<ChatMessages, "listForGuest" | "writeAsGuest"> }>;

export function guestMessageRoutes({ messages }: Deps): GuestRoute[] {
  return [
    guestRoute<unknown, OrderedPageQuery>({
      method: "GET",
      path: "/guest/messages",
      operationId: "api.v3.guest.messages.list",
      summary: "What was written in the room, newest first",
      roles,
      limit: "room",
      query: orderedPageSchema,
      answer: { status: 200, schema: guestMessageListAnswer },
      problems: ["gone"],
      handle: async ({ guest, query, url }) => {
        const page = parsePage(query, { defaultLimit: 10, maxLimit: 100 });
        const { order = "desc" } = query;
        const found = await messages.listForGuest(guest, { ...page, order });
        const { total } = found;
        const data = found.messages.map(presentGuestMessage);
        return ok({ total, data }, pageHeaders(url, page, total));
      },
    }),
    guestRoute<unknown, unknown, MessageBody>({
      method: "POST",
      path: "/guest/messages",
      operationId: "api.v3.guest.messages.create",
      summary: "Write into the room, or to its staff from outside a session",
      roles,
      limit: "room",
      body: messageBody,
      answer: { status: 201, schema: guestMessageAnswer },
      problems: ["gone"],
      handle: async ({ guest, body }) => {
        const message = await messages.writeAsGuest(guest, { text: body.text, clientKey: null });
        return created(presentGuestMessage(message), "/api/guest/messages");
      },
    }),
  ];
}
