/** The chat of a room: fetches missed messages after a reconnection, without duplicates. */
import type { RoomHello } from "../../src/contracts/room-messages.ts";
import type { RoomMessage } from "../../src/contracts/signalling.ts";
import { addDraft, addMessages, setDraftState, settledId } from "./chat-messages.ts";
import { newId } from "../shared/new-id.ts";
import type { Signalling } from "./signalling/signalling-client.ts";
import { isTemporary } from "./signalling/socket.ts";
import type { Store } from "./store.ts";

export type Chat = Readonly<{
  /** The id after which messages may be missing; undefined at first. */
  after(): number | undefined;
  onHello(hello: RoomHello): void;
  onLost(): void;
  send(text: string): void;
  retry(clientId: string): void;
}>;

const pageSize = 50;

export function createChat(store: Store, signalling: Signalling): Chat {
  /** Noted when the connection is lost: what arrives later must not move it. */
  let after: number | undefined;
  const add = (added: readonly RoomMessage[]): void => {
    const { messages, self } = store.view();
    store.update({ messages: addMessages(messages, added, self?.participant) });
  };
  const deliver = async (clientId: string, text: string): Promise<void> => {
    const ack = await signalling.request("chat", { clientId, text });
    if (ack.ok) {
      add([ack.message]);
    } else {
      // Both can be retried by hand; a refused text has to be changed first.
      store.update({
        messages: setDraftState(store.view().messages, clientId, "failed"),
        notice: isTemporary(ack) ? "chat-unsent" : "chat-refused",
      });
    }
  };
  /** A full page may have more after it. */
  const catchUp = async (last: readonly RoomMessage[]): Promise<void> => {
    let page = last;
    while (page.length >= pageSize) {
      const ack = await signalling.request("hello", { after: page[page.length - 1]?.id ?? 0 });
      if (!ack.ok) {
        return;
      }
      page = ack.messages;
      add(page);
    }
  };
  signalling.on("chat", (message) => add([message]));
  return {
    after: () => after,
    onHello: ({ messages }) => {
      const isCatchingUp = after !== undefined;
      after = undefined;
      add(messages);
      if (isCatchingUp) {
        void catchUp(messages);
      }
    },
    onLost: () => {
      after ??= settledId(store.view().messages);
    },
    send: (text) => {
      const clientId = newId();
      const { messages, self } = store.view();
      const author = self?.role === "agent" ? "agent" : "guest";
      const created = new Date().toISOString();
      const { participant = null, name = "" } = self ?? {};
      const draft = { clientId, text, author, participant, name, created } as const;
      store.update({ messages: addDraft(messages, draft) });
      void deliver(clientId, text);
    },
    retry: (clientId) => {
      const { messages } = store.view();
      const draft = messages.find((entry) => entry.id === 0 && entry.clientId === clientId);
      if (draft?.state === "failed") {
        store.update({ messages: setDraftState(messages, clientId, "sending") });
        void deliver(clientId, draft.text);
      }
    },
  };
}
