/**
 * In: one HL7 message. Out: its acknowledgement and its effect.
 * Guarantee: a duplicate, even a concurrent one, gets the acknowledgement of the first message and
 * has no effect. The message, its answer and the conference are one transaction.
 * On crash: before the commit nothing happened and the sender sends again; after it the duplicate
 * is answered.
 */
import { problem, Problem, problemCatalogue } from "../contracts/problems.ts";
import {
  type Hl7Deps,
  isFault,
  applyMessage,
  type AppliedMessage,
  type Hl7Actor,
} from "./apply-message.ts";
import {
  findMessage,
  listMessages,
  removeMessages,
  type OpenedMessage,
  type StoredMessage,
  claimMessage,
  findByKey,
  settleMessage,
  type MessageKey,
} from "./store.ts";
import type { Trx } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { buildAck, dataFault, rejection, type Hl7Fault } from "./ack.ts";
import {
  toText,
  parseMessage,
  readHeader,
  type MessageHeader,
  type ParsedMessage,
} from "./message.ts";

export type Hl7 = MessageHandler & {
  list(
    enterpriseId: number,
    page: Readonly<{ limit: number; offset: number }>,
  ): Promise<{ total: number; messages: StoredMessage[] }>;
  get(enterpriseId: number, id: number): Promise<OpenedMessage>;
  /** Deletes a batch of messages older than 30 days. Returns how many. */
  clean(): Promise<number>;
};

export type HandledMessage = Readonly<{
  ack: string;
  /** As in the REST API; null if the message has none. */
  conference: unknown;
}>;

export type MessageHandler = {
  /** Throws if the bytes are not a message. Other errors are part of the acknowledgement. */
  handle(
    order: Readonly<{ actor: Hl7Actor; bytes: Buffer; charset?: string }>,
  ): Promise<HandledMessage>;
  /**
   * The answer to a message for which `handle` threw. `AR` if the message can never be accepted,
   * else `AE`: the sender may retry.
   */
  failed(bytes: Buffer, thrown: unknown): string;
};

type HandlingOutcome = { done: AppliedMessage } | { fault: Hl7Fault };

type AckOutcome = { done: Pick<AppliedMessage, "links"> } | { fault: Hl7Fault };

const retentionMs = 30 * 24 * 60 * 60 * 1000;

const removeBatchSize = 1_000;

export function createHl7(deps: Hl7Deps): Hl7 {
  const { db, clock, secretBox } = deps;
  return {
    ...createMessageHandler(deps),
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
        limit: removeBatchSize,
      }),
  };
}

function createMessageHandler(deps: Hl7Deps): MessageHandler {
  const { db, clock, secretBox, conferences } = deps;
  const ackOf = createAck(deps);

  const show = async (
    trx: Trx,
    { enterpriseId }: Hl7Actor,
    conferenceId: number | null,
  ): Promise<unknown> =>
    conferenceId === null
      ? null
      : ((await conferences.show(trx, { enterpriseId, id: conferenceId })) ?? null);

  const answerAgain = async (
    trx: Trx,
    { actor, header, key }: Readonly<{ actor: Hl7Actor; header: MessageHeader; key: MessageKey }>,
  ): Promise<HandledMessage> => {
    const earlier = await findByKey(trx, secretBox, key);
    if (earlier === undefined) {
      throw new Error("The message was neither stored nor found");
    }
    const conference = await show(trx, actor, earlier.conferenceId);
    return { ack: earlier.ack ?? ackOf(header, outcomeOf(earlier)), conference };
  };

  const handleOnce = async (
    trx: Trx,
    actor: Hl7Actor,
    message: ParsedMessage,
  ): Promise<HandledMessage> => {
    const { header, text } = message;
    const { sendingApplication, sendingFacility, controlId } = header;
    const { enterpriseId } = actor;
    const key = { enterpriseId, sendingApplication, sendingFacility, controlId };
    const fresh = { ...key, type: typeOf(header), text, at: clock.now() };
    const id = await claimMessage(trx, secretBox, fresh);
    if (id === undefined) {
      return answerAgain(trx, { actor, header, key });
    }
    const outcome = await tryToApply(deps, trx, { actor, message });
    const ack = ackOf(header, outcome);
    const conferenceId = "done" in outcome ? outcome.done.conferenceId : null;
    const result = "fault" in outcome ? outcome.fault.result : "AA";
    await settleMessage(trx, secretBox, { ...key, id, result, conferenceId, ack });
    return { ack, conference: await show(trx, actor, conferenceId) };
  };

  return {
    handle: async ({ actor, bytes, charset }) => {
      const message = parseMessage(toText(bytes, charset));
      if (message.header.controlId === "") {
        const fault = dataFault(101, "MSH^1^10", "The message has no control id.");
        return { ack: ackOf(message.header, { fault }), conference: null };
      }
      return inTransaction(db, async (trx) => handleOnce(trx, actor, message));
    },
    failed: (bytes, thrown) => ackOf(readHeader(bytes), { fault: faultOf(thrown) }),
  };
}

/**
 * What a stored result says about a message whose acknowledgement cannot be decrypted. Without the
 * links, whose tokens the platform would not accept any more.
 */
function outcomeOf({ result }: StoredMessage): AckOutcome {
  if (result === "AA") {
    return { done: { links: undefined } };
  }
  const text = "The message was refused before. Correct it, and send it with another control id.";
  const location = "MSH^1^10";
  return {
    fault: result === "AR" ? rejection(207, location, text) : dataFault(207, location, text),
  };
}

function createAck({ clock, ids }: Pick<Hl7Deps, "clock" | "ids">) {
  return (header: MessageHeader, outcome: AckOutcome): string =>
    buildAck({
      header,
      controlId: ids.hex(10),
      at: clock.now(),
      ...("fault" in outcome
        ? { fault: outcome.fault }
        : outcome.done.links && { conference: outcome.done.links }),
    });
}

function typeOf({ type, event }: MessageHeader): string {
  return `${type}^${event}`.slice(0, 40);
}

async function tryToApply(
  deps: Hl7Deps,
  trx: Trx,
  order: { actor: Hl7Actor; message: ParsedMessage },
): Promise<HandlingOutcome> {
  try {
    return { done: await applyMessage(deps, trx, order) };
  } catch (thrown) {
    if (isFault(thrown)) {
      return { fault: thrown };
    }
    throw thrown;
  }
}

function faultOf(thrown: unknown): Hl7Fault {
  return thrown instanceof Problem && problemCatalogue[thrown.kind].status < 500
    ? rejection(100, "MSH^1^1", thrown.message)
    : dataFault(207, "MSH^1^10", "The message was not processed. Send it again later.");
}
