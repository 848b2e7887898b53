/** Calls: the ticket's page in a tab of its own, for as long as its room has people. */
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
  /** What the platform says of the room. */
  change(input: Readonly<{ destId: number; isOngoing: boolean }>): void;
  /** After a connection was lost. */
  resume(): void;
  endAll(): void;
}>;

export function createCalls({ ask, frame, findBox, showFault }: CallsDeps): Calls {
  /** By ticket: whether people were in the room since the call began. */
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

  /** The room may be empty meanwhile, and the ticket somebody else's. */
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
      // Not "noopener": a tab that the browser kept from opening would look the same.
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
