/** The messages of one box, in their order, each once. Pure. */
import type { BoxMessage } from "../../src/contracts/signalling.ts";

export type Line = Readonly<{
  key: string;
  text: string;
  name: string;
  isMine: boolean;
  /** ISO 8601. */
  created: string;
  state: "sent" | "sending" | "failed";
  /** Undefined until it is stored. */
  id: number | undefined;
}>;

export type Thread = Readonly<{
  lines(): readonly Line[];
  /** Of what is stored; 0 where there is nothing. */
  oldest(): number;
  /**
   * An id up to which nothing can be missing any more; 0 where there is none. Messages may come a
   * little out of their order.
   */
  settled(): number;
  /** Takes messages. Out: those that were not known. */
  add(messages: readonly BoxMessage[]): BoxMessage[];
  /** A message of one's own that is on its way. */
  begin(message: Readonly<{ clientId: string; text: string; created: string }>): void;
  fail(clientId: string): void;
  retry(clientId: string): void;
  /** What is on its way. */
  pending(): readonly Readonly<{ clientId: string; text: string }>[];
}>;

type Draft = { clientId: string; text: string; created: string; state: "sending" | "failed" };

/** Later than this after a message, none comes that was written before it. */
const lateMs = 60_000;

export function createThread(userId: number): Thread {
  const stored = new Map<number, BoxMessage>();
  const drafts = new Map<string, Draft>();

  // oxlint-disable-next-line unicorn/no-array-sort -- toSorted is younger than agents' browsers
  const ids = (): number[] => [...stored.keys()].sort((a, b) => a - b);

  const toLine = (message: BoxMessage): Line => ({
    key: String(message.id),
    id: message.id,
    text: message.text,
    name: message.name,
    isMine: message.userId === userId,
    created: message.created,
    state: "sent",
  });

  const setState = (clientId: string, state: Draft["state"]): void => {
    const draft = drafts.get(clientId);
    if (draft !== undefined) {
      drafts.set(clientId, { ...draft, state });
    }
  };

  return {
    lines: () => {
      const known = ids().reduce<Line[]>((lines, id) => {
        const message = stored.get(id);
        return message === undefined ? lines : [...lines, toLine(message)];
      }, []);
      const unsent = [...drafts.values()].map(({ clientId, text, created, state }) => ({
        ...{ key: clientId, id: undefined, text, name: "", isMine: true, created, state },
      }));
      return [...known, ...unsent];
    },
    settled: () => {
      const [first = 0] = ids();
      const last = stored.get(ids().pop() ?? 0);
      const until = last === undefined ? 0 : Date.parse(last.created) - lateMs;
      const old = [...stored.values()].filter(({ created }) => Date.parse(created) <= until);
      return old.reduce((newest, { id }) => Math.max(newest, id), Math.max(0, first - 1));
    },
    oldest: () => ids().shift() ?? 0,
    add: (messages) =>
      messages.filter((message) => {
        const isNew = !stored.has(message.id);
        stored.set(message.id, message);
        drafts.delete(message.clientId ?? "");
        return isNew;
      }),
    begin: (message) => void drafts.set(message.clientId, { ...message, state: "sending" }),
    fail: (clientId) => setState(clientId, "failed"),
    retry: (clientId) => setState(clientId, "sending"),
    pending: () => [...drafts.values()].filter(({ state }) => state === "sending"),
  };
}
