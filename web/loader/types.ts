/// <reference types="jquery" />
/** The module's public types for host pages. */
import type { BoxKind, PresenceState } from "../../src/contracts/signalling.ts";

export type UserInfos = Readonly<{ id: number | string; token: string; nickname: string }>;

/** The customer's contact: phone, email, or both. */
export type Invite = Readonly<{ phone?: string; email?: string; reference?: string }>;

type Where = Readonly<{ kind?: BoxKind }>;

/**
 * First argument of every callback. Promises resolve to whether the action succeeded; none rejects.
 */
export type Agent = Readonly<{
  userInfos: UserInfos;
  openBox(destId: number, where?: Where): Promise<boolean>;
  closeBox(destId: number, where?: Where): void;
  minimize(destId: number, where?: Where): void;
  maximize(destId: number, where?: Where): void;
  sendMessage(destId: number, text: string, where?: Where): Promise<boolean>;
  call(destId: number): Promise<boolean>;
  /** Resolves to the new ticket's number; undefined if rejected. */
  invite(whom: Invite): Promise<number | undefined>;
  setPresence(state: PresenceState): Promise<boolean>;
  destroy(): void;
}>;

type Person = Readonly<{ id: number; nickname: string }>;

/** The third argument of each callback. */
export type CallbackParams = {
  init: undefined;
  createNewIMDiv: Readonly<{ destId: number; nickname: string }>;
  openComBox: JQuery;
  minimize: number;
  maximize: number;
  close: number;
  putInFrame: undefined;
  showNewMessage: Readonly<{ nickname: string; destId: number; message: string; html: string }>;
  sendMessage: Readonly<{ destId: number; message: string }>;
  updatePresence: Readonly<{
    eventType: "presence";
    time: string;
    connectedUsersList: readonly Person[];
    state: PresenceState;
  }>;
};

/** Calls the host's callback; exceptions are logged and ignored. */
export type Fire = <Type extends keyof CallbackParams>(
  type: Type,
  params: CallbackParams[Type],
) => void;
