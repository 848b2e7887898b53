/** The `agent` object, first argument of the host's callbacks. */
import type { BoxKind, PresenceState } from "../../src/contracts/signalling.ts";
import type { Settings } from "./arguments.ts";
import type { Boxes } from "./boxes.ts";
import type { Calls } from "./calls.ts";
import { newId } from "../shared/new-id.ts";
import type { Ask } from "./signal.ts";
import type { Agent } from "./types.ts";

export type AgentDeps = Readonly<{
  settings: Settings;
  ask: Ask;
  boxes: Boxes;
  calls: Calls;
  onState(state: PresenceState): void;
  destroy(): void;
}>;

export function createAgent(deps: AgentDeps): Agent {
  const { settings, ask, boxes, onState, destroy } = deps;
  return Object.freeze({
    userInfos: settings.userInfos,
    ...createBoxMethods(deps),
    invite: async (whom) => {
      const { phone, email, reference } = whom ?? {};
      const clientId = newId();
      const input = JSON.parse(JSON.stringify({ phone, email, reference })) as object;
      const order = Object.assign({ clientId }, input);
      let ack = await ask("invite", order);
      if (!ack.ok && ack.error.kind === "dependency_down") {
        ack = await ask("invite", order); // a retry with the same idempotency key
      }
      if (!ack.ok) {
        boxes.showFault(ack.error);
        return undefined;
      }
      return ack.ticketId;
    },
    setPresence: async (state) => {
      const ack = await ask("presence", { state });
      if (!ack.ok) {
        boxes.showFault(ack.error);
        return false;
      }
      onState(ack.state);
      return true;
    },
    destroy,
  } satisfies Agent);
}

type BoxMethods = Pick<
  Agent,
  "openBox" | "closeBox" | "minimize" | "maximize" | "sendMessage" | "call"
>;

function createBoxMethods({ boxes, calls }: AgentDeps): BoxMethods {
  const open = async (destId: number, kind: BoxKind | undefined) => {
    if (!isNumber(destId)) {
      boxes.showFault(invalid("destId"));
      return undefined;
    }
    return boxes.find(destId, kind) ?? boxes.open(destId, kind ?? "ticket");
  };
  return {
    openBox: async (destId, { kind } = {}) => {
      const box = await open(destId, kind);
      box?.maximize();
      box?.view.focus();
      return box !== undefined;
    },
    closeBox: (destId, { kind } = {}) => boxes.close(destId, kind),
    minimize: (destId, { kind } = {}) => boxes.find(destId, kind)?.minimize(),
    maximize: (destId, { kind } = {}) => boxes.find(destId, kind)?.maximize(),
    sendMessage: async (destId, text, { kind } = {}) => {
      if (typeof text !== "string" || text.trim() === "") {
        boxes.showFault(invalid("text"));
        return false;
      }
      const box = await open(destId, kind);
      return box === undefined ? false : box.send(text);
    },
    call: async (destId) => {
      if (!isNumber(destId)) {
        boxes.showFault(invalid("destId"));
        return false;
      }
      return calls.begin(destId);
    },
  };
}

function isNumber(destId: unknown): destId is number {
  return Number.isSafeInteger(destId) && Number(destId) > 0;
}

function invalid(field: string) {
  return { kind: "invalid_parameter", detail: `The value of ${field} is invalid.` } as const;
}
