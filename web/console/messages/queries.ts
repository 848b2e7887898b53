import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../../base/api.ts";
import { queryOf, type MessageSearch } from "./list-search.ts";
import type { Message } from "./types.ts";
import type { Channel } from "../../../src/contracts/invitations.ts";

type MessageList = Readonly<{ total: number; data: readonly Message[] }>;

export function messagesQuery(search: MessageSearch) {
  const { message: _open, ...result } = search;
  return queryOptions<MessageList>({
    queryKey: ["messages", "list", result],
    queryFn: () => readList(result),
    placeholderData: (before, query) =>
      // Placeholder data must be of the same channel.
      (query?.queryKey[2] as MessageSearch | undefined)?.channel === search.channel
        ? keepPreviousData(before)
        : undefined,
    refetchInterval: 10_000,
  });
}

function readList(search: MessageSearch): Promise<MessageList> {
  const params = { query: queryOf(search, new Date()) };
  return search.channel === "email"
    ? call(api.GET("/api/emails", { params }))
    : call(api.GET("/api/sms", { params }));
}

export function messageQuery(channel: Channel, messageId: number) {
  return queryOptions<Message>({
    queryKey: ["messages", "one", channel, messageId],
    queryFn: () => readOne(channel, messageId),
    // A queued message is polled often, because the user waits for it.
    refetchInterval: ({ state: { data } }) => (data?.status === "queued" ? 2_000 : 15_000),
  });
}

function readOne(channel: Channel, messageId: number): Promise<Message> {
  const params = { path: { messageId } };
  return channel === "email"
    ? call(api.GET("/api/emails/{messageId}", { params }))
    : call(api.GET("/api/sms/{messageId}", { params }));
}
