/** The state from the link to the room, and the actions on it. */
import { createRoom } from "../rooms/create-room.ts";
import { createKeptDevices, type KeptDevices } from "../rooms/kept-devices.ts";
import type { Room } from "../rooms/room.ts";
import { createTabMemory, type TabMemory } from "../shared/tab-memory.ts";
import type { MeetingAddress } from "./entry/address.ts";
import {
  enterAsExpert,
  enterAsGuest,
  enterWithAccount,
  type EntryFault,
  type EntryResult,
  type GuestInput,
} from "./entry/enter.ts";
import type { MeetingFacts } from "./entry/facts.ts";
import { keyOfEntry, type KeptEntry } from "./entry/kept-entry.ts";
import type { Stage } from "./screen.ts";

export type MeetingState = Readonly<{
  stage: Stage;
  room: Room;
  /** Why no token was issued. */
  fault: EntryFault | undefined;
  /** As the person entered it, or as the query has it. */
  name: string;
}>;

export class Meeting {
  readonly facts: MeetingFacts;
  readonly #address: MeetingAddress;
  readonly #memory: TabMemory<KeptEntry>;
  readonly #listeners = new Set<() => void>();
  #state: MeetingState;
  #password = "";
  readonly #devices: KeptDevices;

  constructor(facts: MeetingFacts, address: MeetingAddress) {
    this.facts = facts;
    this.#address = address;
    this.#memory = createTabMemory(keyOfEntry(address.roomName));
    this.#devices = createKeptDevices(`sightline.meeting-devices.${address.roomName}`);
    const room = createRoom({ facing: "user" });
    const name = facts.expert?.name ?? address.name ?? "";
    this.#state = { stage: "card", room, fault: undefined, name };
  }

  readonly state = (): MeetingState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Whether the account that is signed in enters, instead of a guest with a name. */
  hasAccount(): boolean {
    return this.facts.account !== null && this.#address.accessToken === undefined;
  }

  /** Whether the platform knows the name of the person already. */
  isKnown(): boolean {
    return this.hasAccount() || typeof this.facts.expert?.name === "string";
  }

  /** No card after a reload, with a personal link, or with a name in the URL. */
  async start(): Promise<void> {
    const kept = this.#address.accessToken === undefined ? this.#memory.read() : undefined;
    const { name, accessToken } = this.#address;
    if (kept !== undefined) {
      await this.#state.room.reopenDevices(this.#devices.wanted());
      this.#goInto(kept);
    } else if (accessToken !== undefined) {
      await this.#openDevices();
      await this.enter({ name: "", password: "" });
    } else if (name !== undefined && !this.hasAccount() && !this.facts.is_password_required) {
      await this.#openDevices();
      await this.enter({ name, password: "" });
    } else {
      await this.#openDevices();
    }
  }

  /** From the name card. */
  async enter({ name, password }: GuestInput): Promise<void> {
    this.#password = password;
    this.#update({ stage: "entering", fault: undefined, name });
    const result = await this.#fetchEntry({ name, password });
    if ("entry" in result) {
      this.#memory.keep(result.entry);
      this.#goInto(result.entry);
    } else {
      this.#update({ stage: "card", fault: result.fault });
    }
  }

  #fetchEntry({ name, password }: GuestInput): Promise<EntryResult> {
    const { account, expert } = this.facts;
    if (expert !== undefined) {
      return enterAsExpert(this.#address, name);
    }
    return account !== null && this.hasAccount()
      ? enterWithAccount(account.conference_id)
      : enterAsGuest(this.#address, { name, password });
  }

  /** After leaving, or after a temporary refusal. */
  async joinAgain(): Promise<void> {
    await this.#openDevices();
    await this.#state.room.join();
  }

  /** A new visit, with the name and the password of the one before. */
  async askAgain(): Promise<void> {
    const { room, name } = this.#state;
    room.close();
    this.#memory.forget();
    this.#update({ room: createRoom({ facing: "user" }) });
    await this.#openDevices();
    await this.enter({ name, password: this.#password });
  }

  /** Back to the name card. */
  startOver(): void {
    this.#state.room.close();
    this.#memory.forget();
    this.#update({ stage: "card", fault: undefined, room: createRoom({ facing: "user" }) });
    void this.#openDevices();
  }

  async leave(): Promise<void> {
    this.#memory.forget();
    await this.#state.room.leave();
  }

  async endForAll(): Promise<void> {
    this.#memory.forget();
    await this.#state.room.end();
  }

  /** The call was ended by others. */
  forgetEntry(): void {
    this.#memory.forget();
  }

  #goInto({ token, role, name }: KeptEntry): void {
    const { room } = this.#state;
    this.#update({ stage: "room", name });
    this.#devices.follow(room);
    room.connect(token);
    if (role !== "waiting") {
      void room.join();
    }
  }

  #openDevices(): Promise<void> {
    return this.#state.room.openDevices(this.#devices.wanted());
  }

  #update(change: Partial<MeetingState>): void {
    this.#state = { ...this.#state, ...change };
    this.#listeners.forEach((listener) => listener());
  }
}
