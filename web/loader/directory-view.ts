/** The directory: colleagues with their presence; a click opens a box. */
import type { DirectoryEntry, PresenceState } from "../../src/contracts/signalling.ts";
import { element, iconButton, textButton } from "./dom.ts";
import type { Texts } from "./texts.ts";

export type DirectoryActions = Readonly<{
  open(userId: number): void;
  setPresence(state: PresenceState): void;
}>;

export type DirectoryView = Readonly<{
  root: HTMLElement;
  show(users: readonly DirectoryEntry[], unreadOf: (userId: number) => number): void;
  showState(state: PresenceState): void;
}>;

const manyUsers = 8;

export function createDirectoryView(
  texts: Texts,
  startsOpen: boolean,
  { open, setPresence }: DirectoryActions,
): DirectoryView {
  let isOpen = startsOpen;
  let state: PresenceState = "online";
  let last: Parameters<DirectoryView["show"]> = [[], () => 0];
  const list = element("ul", { class: "im-people" });
  const search = element("input", {
    type: "search",
    class: "im-search",
    "aria-label": texts.find,
    placeholder: texts.find,
    hidden: "",
  });
  const own = textButton(texts.shown, () => setPresence(state === "online" ? "offline" : "online"));
  own.classList.add("im-own");
  const body = element("div", { class: "im-directory-body", id: "im-directory-body" }, [
    own,
    search,
    list,
  ]);
  const layOut = (): void => {
    body.hidden = !isOpen;
    head.button.setAttribute("aria-expanded", String(isOpen));
  };
  const head = createHeader(texts, () => {
    isOpen = !isOpen;
    layOut();
  });
  const show: DirectoryView["show"] = (users, unreadOf) => {
    last = [users, unreadOf];
    const term = search.value.trim().toLowerCase();
    const found = users.filter(({ nickname }) => nickname.toLowerCase().indexOf(term) !== -1);
    const focused = list.contains(document.activeElement)
      ? [...list.children].findIndex((item) => item.contains(document.activeElement))
      : -1;
    list.textContent = "";
    found.forEach((user) => list.append(entryOf(user, unreadOf(user.id), texts, open)));
    if (users.length === 0) {
      list.append(element("li", { class: "im-empty" }, [texts.noColleagues]));
    }
    (list.children[focused]?.firstElementChild as HTMLElement | null | undefined)?.focus();
    search.hidden = users.length < manyUsers;
    const there = users.filter((user) => user.state === "online").length;
    head.count.textContent = `${there}/${users.length}`;
  };
  search.addEventListener("input", () => show(...last));
  layOut();
  return {
    root: element("div", { class: "im-directory", role: "region", "aria-label": texts.directory }, [
      head.button,
      body,
    ]),
    show,
    showState: (next) => {
      state = next;
      own.textContent = next === "online" ? texts.shown : texts.hidden;
      own.classList.toggle("im-own-offline", next === "offline");
    },
  };
}

function createHeader(texts: Texts, toggle: () => void) {
  const count = element("span", { class: "im-count" });
  const button = iconButton("people", texts.directory, toggle);
  button.append(element("span", { class: "im-directory-title" }, [texts.directory]), count);
  button.removeAttribute("aria-label");
  button.removeAttribute("title");
  button.classList.add("im-directory-head");
  button.setAttribute("aria-controls", "im-directory-body");
  return { button, count };
}

function entryOf(
  user: DirectoryEntry,
  unread: number,
  texts: Texts,
  open: (userId: number) => void,
): HTMLElement {
  const word = user.state === "online" ? texts.online : texts.away;
  const button = element("button", { type: "button", class: "im-person" }, [
    element("span", { class: `im-dot im-dot-${user.state}`, "aria-hidden": "true" }),
    element("span", { class: "im-person-name" }, [user.nickname]),
    element("span", { class: "im-state" }, [word]),
  ]);
  if (unread > 0) {
    const badge = { class: "im-unread", role: "img", "aria-label": texts.unread(unread) };
    button.append(element("span", badge, [String(unread)]));
  }
  button.addEventListener("click", () => open(user.id));
  return element("li", {}, [button]);
}
