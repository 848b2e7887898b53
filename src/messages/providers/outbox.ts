import { accepted, type MessageProvider } from "./provider.ts";

/** Sends nothing: the message is in the database already, where the outbox page reads it. */
export const outboxProvider: MessageProvider = {
  name: "outbox",
  send: async ({ uid }) => accepted(uid),
};
