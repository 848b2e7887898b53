import { problem } from "../contracts/problems.ts";
import { createHandler, type Handler } from "./handle.ts";
import type { Hl7Deps } from "./ports.ts";
import {
  findMessage,
  listMessages,
  removeMessages,
  type OpenedMessage,
  type StoredMessage,
} from "./store.ts";

export type Hl7 = Handler & {
  list(
    enterpriseId: number,
    page: Readonly<{ limit: number; offset: number }>,
  ): Promise<{ total: number; messages: StoredMessage[] }>;
  get(enterpriseId: number, id: number): Promise<OpenedMessage>;
  /** Forgets a batch of messages older than 30 days. Out: how many. */
  clean(): Promise<number>;
};

const retentionMs = 30 * 24 * 60 * 60 * 1000;

const removeAtOnce = 1_000;

export function createHl7(deps: Hl7Deps): Hl7 {
  const { db, clock, secretBox } = deps;
  return {
    ...createHandler(deps),
    list: (enterpriseId, page) => listMessages(db, enterpriseId, page),
    get: async (enterpriseId, id) => {
      const message = await findMessage(db, secretBox, { enterpriseId, id });
      if (message === undefined) {
        throw problem("not_found", `HL7 message ${id} was not found.`);
      }
      return message;
    },
    clean: () =>
      removeMessages(db, {
        before: new Date(clock.now().getTime() - retentionMs),
        limit: removeAtOnce,
      }),
  };
}
