/** The customer's side of a ticket: a small chat in the room of its link. */
import { io, type Socket } from "socket.io-client";
import { signallingPath, type RoomMessage } from "../../src/contracts/signalling.ts";
import type { RoomToServer, ServerToRoom } from "../../src/contracts/room-messages.ts";
import { note } from "./log.ts";
import { say } from "./texts.ts";

const shown = new Set<number>();

type Room = Socket<ServerToRoom, RoomToServer>;

let room: Room | undefined;

/** Whether `hello` was acknowledged; messages are refused before. */
let isIn = false;

/** Unacknowledged messages by client id, which makes sending them again idempotent. */
const unsent = new Map<string, string>();

/** Enters the room as the customer, and leaves the previous room. */
export function signInAsCustomer(token: string): void {
  room?.disconnect();
  isIn = false;
  shown.clear();
  unsent.clear();
  byId("customer-lines").textContent = "";
  byId("customer").hidden = false;
  const entered: Room = io("/rtc", {
    path: signallingPath,
    transports: ["websocket"],
    forceNew: true,
    auth: { token },
  });
  room = entered;
  entered.on("chat", show);
  entered.on("connect", () => enter(entered));
  entered.on("disconnect", () => {
    isIn = isIn && entered !== room;
  });
}

function enter(to: Room): void {
  to.emit("hello", {}, (ack) => {
    if (!ack.ok) {
      note("hello", ack.error.detail);
    } else if (to === room) {
      isIn = true;
      ack.messages.forEach(show);
      unsent.forEach((text, clientId) => send(to, clientId, text));
    }
  });
}

export function watchCustomerForm(): void {
  const form = byId("customer-form") as HTMLFormElement;
  const input = form.elements.namedItem("text") as HTMLInputElement;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.value.trim() !== "") {
      write(input.value);
      input.value = "";
    }
  });
}

function write(text: string): void {
  const clientId = crypto.randomUUID();
  unsent.set(clientId, text);
  if (room !== undefined && isIn) {
    send(room, clientId, text);
  }
}

/** After too many at once. */
const againMs = 1_000;

function send(to: Room, clientId: string, text: string): void {
  to.emit("chat", { clientId, text }, (ack) => {
    if (to !== room || !unsent.has(clientId)) {
      return;
    }
    if (!ack.ok && ack.error.kind === "rate_limited") {
      setTimeout(() => send(to, clientId, text), againMs);
      return;
    }
    unsent.delete(clientId);
    if (ack.ok) {
      show(ack.message);
    } else {
      note("chat", ack.error.detail);
    }
  });
}

function show({ id, author, text }: RoomMessage): void {
  if (shown.has(id)) {
    return;
  }
  shown.add(id);
  const line = document.createElement("li");
  const name = document.createElement("strong");
  name.textContent = say(author === "guest" ? "me" : "agent");
  line.className = author === "guest" ? "mine" : "theirs";
  line.append(name, document.createTextNode(` ${text}`));
  byId("customer-lines").append(line);
  const log = byId("customer-log");
  log.scrollTop = log.scrollHeight;
}

function byId(id: string): HTMLElement {
  return document.getElementById(id) ?? document.body;
}
