/** Calls: opens the ticket's page in a new tab, and tracks whether its room has participants. */
import type { BoxKind, AckError } from "../../src/contracts/signalling.ts";
import type { Box } from "./box.ts";
import type { Frame } from "./frame.ts";
import { askWithRetry } from "./retry.ts";
import type { Ask } from "./signal.ts";

export type CallsDeps = Readonly<{
  ask: Ask;
  frame: Frame;
  findBox(destId: number): Box | undefined;
  showFault(error: AckError["error"]): void;
}>;

export type Calls = Readonly<{
  begin(destId: number): Promise<boolean>;
  end(destId: number, kind: BoxKind): void;
  /** Handles a change of the room. */
  change(input: Readonly<{ destId: number; isOngoing: boolean }>): void;
  /** Called after a reconnect. */
  resume(): void;
  endAll(): void;
}>;

export function createCalls({ ask, frame, findBox, showFault }: CallsDeps): Calls {
  /** By ticket: whether the room had participants since the call started. */
  const ongoing = new Map<number, boolean>();

  const end = (destId: number): void => {
    if (ongoing.delete(destId)) {
      findBox(destId)?.view.showCall(undefined);
      void ask("hang-up", { destId });
      if (ongoing.size === 0) {
        frame.stop();
      }
    }
  };

  /** After a reconnect, the room may be empty, or the ticket assigned to another agent. */
  const watchAgain = async (destId: number, was: boolean): Promise<void> => {
    const ack = await askWithRetry(
      () => ask("call", { destId }),
      () => ongoing.has(destId),
    );
    if (!ack.ok || (was && !ack.isOngoing)) {
      end(destId);
    } else if (ongoing.has(destId)) {
      ongoing.set(destId, ack.isOngoing);
    }
  };

  return {
    begin: async (destId) => {
      const ack = await ask("call", { destId });
      if (!ack.ok) {
        showFault(ack.error);
        return false;
      }
      // Without "noopener", because `window.open` would then return null, as for a blocked tab.
      const tab = window.open(ack.agentUrl, "_blank");
      if (tab !== null) {
        tab.opener = null;
      }
      ongoing.set(destId, ack.isOngoing);
      findBox(destId)?.view.showCall({ url: tab === null ? ack.agentUrl : undefined });
      frame.start();
      return tab !== null;
    },
    end: (destId, kind) => {
      if (kind === "ticket") {
        end(destId);
      }
    },
    change: ({ destId, isOngoing }) => {
      if (!isOngoing) {
        end(destId);
      } else if (ongoing.has(destId)) {
        ongoing.set(destId, true);
      }
    },
    resume: () => {
      ongoing.forEach((was, destId) => void watchAgain(destId, was));
    },
    endAll: () => [...ongoing.keys()].forEach(end),
  };
}
