/**
 * In: one HL7 message. Out: its acknowledgement, and what it asked for.
 * Guarantee: a message that comes again, also at the same moment, is answered with the first
 * one's acknowledgement and does nothing. The message, its answer and the conference are one
 * transaction.
 * On crash: before the commit nothing happened and the sender sends again; after it the repeat is
 * answered.
 */
import { Problem, problemCatalogue } from "../contracts/problems.ts";
import { inTransaction, type Trx } from "../platform/db/pool.ts";
import { buildAck } from "./ack.ts";
import { toText } from "./charset.ts";
import { dataFault, refusal, type Hl7Fault } from "./fault.ts";
import { parseMessage, readHeader, type Header, type Message } from "./message.ts";
import { isFault, perform, type Done } from "./perform.ts";
import type { Actor, Hl7Deps } from "./ports.ts";
import { claimMessage, findByKey, settleMessage, type MessageKey } from "./store.ts";

export type Handled = Readonly<{
  ack: string;
  /** Shown as the REST interface does; null where the message has none. */
  conference: unknown;
}>;

export type Handler = {
  /** Throws where the bytes are no message; everything else is said in the acknowledgement. */
  handle(order: Readonly<{ actor: Actor; bytes: Buffer; charset?: string }>): Promise<Handled>;
  /**
   * The answer to a message that `handle` threw at. `AR` where it cannot be read, and never will;
   * else `AE`: the sender may send it again.
   */
  failed(bytes: Buffer, thrown: unknown): string;
};

type Outcome = { done: Done } | { fault: Hl7Fault };

export function createHandler(deps: Hl7Deps): Handler {
  const { db, clock, secretBox, conferences } = deps;
  const ackOf = createAck(deps);

  const show = async (
    trx: Trx,
    { enterpriseId }: Actor,
    conferenceId: number | null,
  ): Promise<unknown> =>
    conferenceId === null
      ? null
      : ((await conferences.show(trx, { enterpriseId, id: conferenceId })) ?? null);

  const answerAgain = async (trx: Trx, actor: Actor, key: MessageKey): Promise<Handled> => {
    const earlier = await findByKey(trx, secretBox, key);
    if (earlier === undefined) {
      throw new Error("A message was neither taken nor found");
    }
    const conference = await show(trx, actor, earlier.conferenceId);
    return { ack: earlier.ack, conference };
  };

  const handleOnce = async (trx: Trx, actor: Actor, message: Message): Promise<Handled> => {
    const { header, text } = message;
    const { sendingApplication, sendingFacility, controlId } = header;
    const { enterpriseId } = actor;
    const key = { enterpriseId, sendingApplication, sendingFacility, controlId };
    const fresh = { ...key, type: typeOf(header), text, at: clock.now() };
    const id = await claimMessage(trx, secretBox, fresh);
    if (id === undefined) {
      return answerAgain(trx, actor, key);
    }
    const outcome = await tryToPerform(deps, trx, { actor, message });
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

function createAck({ clock, ids }: Pick<Hl7Deps, "clock" | "ids">) {
  return (header: Header, outcome: Outcome): string =>
    buildAck({
      header,
      controlId: ids.hex(10),
      at: clock.now(),
      ...("fault" in outcome
        ? { fault: outcome.fault }
        : outcome.done.links && { conference: outcome.done.links }),
    });
}

function typeOf({ type, event }: Header): string {
  return `${type}^${event}`.slice(0, 40);
}

async function tryToPerform(
  deps: Hl7Deps,
  trx: Trx,
  order: { actor: Actor; message: Message },
): Promise<Outcome> {
  try {
    return { done: await perform(deps, trx, order) };
  } catch (thrown) {
    if (isFault(thrown)) {
      return { fault: thrown };
    }
    throw thrown;
  }
}

function faultOf(thrown: unknown): Hl7Fault {
  return thrown instanceof Problem && problemCatalogue[thrown.kind].status < 500
    ? refusal(100, "MSH^1^1", thrown.message)
    : dataFault(207, "MSH^1^10", "The message was not done. Send it again later.");
}
