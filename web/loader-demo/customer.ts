/** The customer's side of a ticket: a small chat in the room of its link. */
import { io, type Socket } from "socket.io-client";
import {
  signallingPath,
  type RoomMessage,
  type RoomToServer,
  type ServerToRoom,
} from "../../src/contracts/signalling.ts";
import { say } from "./texts.ts";

const byId = (id: string): HTMLElement => document.getElementById(id) ?? document.body;

const shown = new Set<number>();

const show = ({ id, author, text }: RoomMessage): void => {
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
};

let socket: Socket<ServerToRoom, RoomToServer> | undefined;

const send = (text: string): void => {
  socket?.emit("chat", { clientId: crypto.randomUUID(), text }, (ack) => {
    if (ack.ok) {
      show(ack.message);
    }
  });
};

/** Enters the room as the customer, and leaves the one of before. */
export const beCustomer = (token: string): void => {
  socket?.disconnect();
  shown.clear();
  byId("customer-lines").textContent = "";
  byId("customer").hidden = false;
  const room: Socket<ServerToRoom, RoomToServer> = io("/rtc", {
    path: signallingPath,
    transports: ["websocket"],
    forceNew: true,
    auth: { token },
  });
  socket = room;
  room.on("chat", show);
  room.on("connect", () => {
    room.emit("hello", {}, (ack) => {
      if (ack.ok) {
        ack.messages.forEach(show);
      }
    });
  });
};

export const watchCustomerForm = (): void => {
  const form = byId("customer-form") as HTMLFormElement;
  const input = form.elements.namedItem("text") as HTMLInputElement;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.value.trim() !== "") {
      send(input.value);
      input.value = "";
    }
  });
};
