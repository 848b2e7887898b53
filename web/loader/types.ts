/// <reference types="jquery" />
/** What host pages see of the module. */
import type { BoxKind, PresenceState } from "../../src/contracts/signalling.ts";

export type UserInfos = Readonly<{ id: number | string; token: string; nickname: string }>;

/** Whom to invite: by phone, by mail, or both. */
export type Invite = Readonly<{ phone?: string; email?: string; reference?: string }>;

type Where = Readonly<{ kind?: BoxKind }>;

/** First argument of every callback. Each promise gives whether it was done; none rejects. */
export type Agent = Readonly<{
  userInfos: UserInfos;
  openBox(destId: number, where?: Where): Promise<boolean>;
  closeBox(destId: number, where?: Where): void;
  minimize(destId: number, where?: Where): void;
  maximize(destId: number, where?: Where): void;
  sendMessage(destId: number, text: string, where?: Where): Promise<boolean>;
  call(destId: number): Promise<boolean>;
  /** Gives the new ticket's number; undefined where it was refused. */
  invite(whom: Invite): Promise<number | undefined>;
  setPresence(state: PresenceState): Promise<boolean>;
  destroy(): void;
}>;

type Person = Readonly<{ id: number; nickname: string }>;

/** Each callback and its third argument. */
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

/** Calls the host back. What it throws is logged, and is no business of ours. */
export type Fire = <Type extends keyof CallbackParams>(
  type: Type,
  params: CallbackParams[Type],
) => void;
