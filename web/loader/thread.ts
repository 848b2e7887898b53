/** The messages of one box, ordered and without duplicates. Pure. */
import type { BoxMessage } from "../../src/contracts/signalling.ts";

export type Line = Readonly<{
  key: string;
  text: string;
  name: string;
  isMine: boolean;
  /** ISO 8601. */
  created: string;
  /** `event`: something that happened here; nobody wrote it. */
  state: "sent" | "sending" | "failed" | "event";
  /** undefined until stored. */
  id: number | undefined;
}>;

export type Thread = Readonly<{
  lines(): readonly Line[];
  /** The oldest stored id; 0 if there is none. */
  oldest(): number;
  /**
   * The id up to which the thread is complete; 0 if there is none. Messages may arrive slightly out
   * of order.
   */
  settled(): number;
  /** Adds messages. Returns the new ones. */
  add(messages: readonly BoxMessage[]): BoxMessage[];
  /** Adds a message that is being sent. */
  begin(message: Readonly<{ clientId: string; text: string; created: string }>): void;
  /** Adds a line that nobody wrote, after the messages of now. */
  addEvent(event: Readonly<{ text: string; created: string }>): void;
  fail(clientId: string): void;
  retry(clientId: string): void;
  /** Messages that are being sent. */
  pending(): readonly Readonly<{ clientId: string; text: string }>[];
}>;

type Draft = { clientId: string; text: string; created: string; state: "sending" | "failed" };

type Event = Readonly<{ text: string; created: string; afterId: number }>;

/** Maximum delay with which messages arrive out of order. */
const lateMs = 60_000;

export function createThread(userId: number): Thread {
  const stored = new Map<number, BoxMessage>();
  const drafts = new Map<string, Draft>();
  const events: Event[] = [];

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

  const eventsAfter = (id: number): Line[] =>
    events
      .map(({ text, created, afterId }, at) => ({ key: `event-${at}`, text, created, afterId }))
      .filter(({ afterId }) => afterId === id)
      .map(({ key, text, created }) => ({
        ...{ key, id: undefined, text, name: "", isMine: false, created, state: "event" },
      }));

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
        return message === undefined ? lines : [...lines, toLine(message), ...eventsAfter(id)];
      }, eventsAfter(0));
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
    addEvent: (event) => void events.push({ ...event, afterId: ids().pop() ?? 0 }),
    fail: (clientId) => setState(clientId, "failed"),
    retry: (clientId) => setState(clientId, "sending"),
    pending: () => [...drafts.values()].filter(({ state }) => state === "sending"),
  };
}
