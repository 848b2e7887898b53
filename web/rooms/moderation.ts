/** Actions of organizers and moderators: admission, removal and the lock. */
import type { Signalling } from "./signalling/signalling-client.ts";
import type { AckOf, InputOf } from "./signalling/socket.ts";
import type { Room } from "./room.ts";
import type { Store } from "./store.ts";
import type { AckError } from "../../src/contracts/signalling.ts";

export type Moderation = Pick<Room, "admit" | "deny" | "removeParticipant" | "setLocked"> &
  Readonly<{ onHello(): void }>;

type HostRequest = "admit" | "deny" | "remove" | "lock";

export function createModeration(store: Store, signalling: Signalling): Moderation {
  const refresh = async (): Promise<void> => {
    const ack = await signalling.request("waiting", {});
    if (ack.ok) {
      store.update({ waiting: ack.people });
    }
  };
  const ask = async <Type extends HostRequest>(
    type: Type,
    input: InputOf<Type>,
  ): Promise<AckOf<Type> | AckError> => {
    const ack = await signalling.request(type, input);
    if (!ack.ok) {
      store.update({ notice: `${type}-failed` });
      void refresh(); // the guest still waits, and the server sends the list only when it changes
    }
    return ack;
  };
  signalling.on("waiting", ({ people }) => store.update({ waiting: people }));
  signalling.on("lock", ({ isLocked }) => store.update({ isLocked }));
  const remove = (participants: readonly string[] | "all"): void => {
    const isGone = (participant: string): boolean =>
      participants === "all" || participants.includes(participant);
    const { waiting } = store.view();
    store.update({ waiting: waiting.filter(({ participant }) => !isGone(participant)) });
  };
  return {
    onHello: () => {
      const role = store.view().self?.role;
      if (role === "organizer" || role === "moderator") {
        void refresh();
      }
    },
    admit: (participants) => {
      remove(participants);
      void ask("admit", { participants });
    },
    deny: (participants) => {
      remove(participants);
      void ask("deny", { participants });
    },
    removeParticipant: (participant) => void ask("remove", { participant }),
    setLocked: (isLocked) => {
      void ask("lock", { isLocked }).then((ack) => {
        if (ack.ok) {
          store.update({ isLocked });
        }
      });
    },
  };
}
