/** The view of a box: header, messages, and input field. */
import type { BoxRef } from "../../src/contracts/signalling.ts";
import { createCallView, type CallView } from "./call-view.ts";
import { element, iconButton, textButton } from "./dom.ts";
import { messageHtml } from "./message-html.ts";
import type { Texts } from "./texts.ts";
import type { Line } from "./thread.ts";

export type BoxActions = Readonly<{
  minimize(): void;
  maximize(): void;
  close(): void;
  call(): void;
  endCall(): void;
  openTab(): void;
  /** The call made the box larger or smaller. */
  onLayout(): void;
  send(text: string): void;
  resend(clientId: string): void;
  older(): void;
}>;

export type BoxView = Readonly<{
  root: HTMLElement;
  showLines(lines: readonly Line[], hasOlder: boolean): void;
  showUnread(count: number): void;
  /** Shows an error line; undefined hides it. */
  showNote(note: string | undefined): void;
  /** Enables or disables the input. */
  setOpen(isOpen: boolean): void;
  setMinimized(isMinimized: boolean): void;
  call: CallView;
  focus(): void;
}>;

export type BoxHeader = BoxRef & Readonly<{ nickname: string }>;

type Words = Readonly<{ texts: Texts; language: string }>;

let made = 0;

export function createBoxView(face: BoxHeader, words: Words, actions: BoxActions): BoxView {
  const { texts } = words;
  const bodyId = `im-body-${(made += 1)}`;
  const root = createRoot(face, words);
  const messages = createMessages(words, actions);
  const writer = createWriter(words, actions.send);
  const focusInput = (): void => writer.field.focus();
  const call = createCallView({ ...actions, texts, root, focusInput });
  const head = createHead({ face, words, actions, bodyId, duration: call.duration });
  const note = element("div", { class: "im-note", role: "status", hidden: "" });
  const body = element("div", { class: "im-body", id: bodyId }, [
    ...[call.bar, call.place, messages.root, note, writer.root],
  ]);
  root.append(head.root, body);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !call.reduce()) {
      actions.minimize();
    }
  });
  head.title.addEventListener("click", () =>
    body.hidden ? actions.maximize() : actions.minimize(),
  );
  /** The page of the call, else the input. */
  const inside = (): HTMLElement =>
    (call.isPageShown() ? call.place.querySelector("iframe") : null) ?? writer.field;
  return {
    root,
    showLines: messages.show,
    showUnread: (count) => {
      head.unread.hidden = count === 0;
      head.unread.textContent = String(count);
      head.unread.setAttribute("role", "img");
      head.unread.setAttribute("aria-label", texts.unread(count));
    },
    showNote: (text) => {
      note.hidden = text === undefined;
      note.textContent = text ?? "";
    },
    setOpen: (isOpen) => {
      writer.field.disabled = !isOpen;
      writer.button.disabled = !isOpen;
    },
    setMinimized: (isMinimized) => {
      const hadFocus = root.contains(document.activeElement);
      root.classList.toggle("im-minimized", isMinimized);
      body.hidden = isMinimized;
      head.minimize.hidden = isMinimized;
      head.maximize.hidden = !isMinimized;
      if (!isMinimized) {
        messages.toEnd();
      }
      if (hadFocus) {
        (isMinimized ? head.maximize : inside()).focus();
      }
    },
    call,
    focus: () => inside().focus(),
  };
}

function createRoot({ destId, kind, nickname }: BoxHeader, { texts }: Words): HTMLElement {
  return element("div", {
    class: "im-box",
    "data-dest-id": String(destId),
    "data-kind": kind,
    role: "region",
    "aria-label": texts.box(nickname),
  });
}

type HeadWish = Readonly<{
  face: BoxHeader;
  words: Words;
  actions: BoxActions;
  bodyId: string;
  duration: HTMLElement;
}>;

function createHead({ face, words: { texts }, actions, bodyId, duration }: HeadWish) {
  const unread = element("span", { class: "im-unread", hidden: "" });
  const kind = face.kind === "ticket" ? texts.ticket(face.destId) : texts.colleague;
  const title = element("div", { class: "im-title" }, [
    element("span", { class: "im-nickname" }, [face.nickname]),
    element("span", { class: "im-kind" }, [kind]),
  ]);
  const minimize = iconButton("minimize", texts.minimize, actions.minimize);
  const maximize = iconButton("maximize", texts.maximize, actions.maximize);
  [minimize, maximize].forEach((button) => button.setAttribute("aria-controls", bodyId));
  minimize.setAttribute("aria-expanded", "true");
  maximize.setAttribute("aria-expanded", "false");
  maximize.hidden = true;
  const buttons = element("div", { class: "im-buttons" }, [
    ...(face.kind === "ticket" ? [iconButton("call", texts.call, actions.call)] : []),
    minimize,
    maximize,
    iconButton("close", texts.close, actions.close),
  ]);
  const root = element("div", { class: "im-head" }, [title, duration, unread, buttons]);
  return { root, title, unread, minimize, maximize };
}

function createMessages(words: Words, { resend, older }: BoxActions) {
  const { texts } = words;
  const list = element("ol", { class: "im-lines" });
  const named = { role: "log", "aria-label": texts.messages, tabindex: "0" };
  const root = element("div", { class: "im-messages", ...named }, [list]);
  const items = new Map<string, { item: HTMLElement; shown: string }>();
  const empty = element("li", { class: "im-empty" }, [texts.empty]);
  const earlier = element("li", { class: "im-older" }, [textButton(texts.older, older)]);
  const show = (lines: readonly Line[], hasOlder: boolean): void => {
    const wasAtEnd = root.scrollHeight - root.scrollTop - root.clientHeight < 40;
    const keys = lines.map(({ key }) => key);
    items.forEach(({ item }, key) => {
      if (keys.indexOf(key) === -1) {
        item.remove();
        items.delete(key);
      }
    });
    // Existing lines are not rendered again, so that screen readers announce only new ones.
    lines.forEach((line, at) => {
      const shown = `${line.state} ${line.created}`;
      const known = items.get(line.key);
      const item = known?.shown === shown ? known.item : lineOf(line, words, resend);
      if (known !== undefined && known.item !== item) {
        known.item.remove();
      }
      items.set(line.key, { item, shown });
      const place = list.children[at + (hasOlder ? 1 : 0)];
      if (place !== item) {
        list.insertBefore(item, place ?? null);
      }
    });
    earlier.remove();
    empty.remove();
    if (hasOlder) {
      list.insertBefore(earlier, list.firstChild);
    } else if (lines.length === 0) {
      list.append(empty);
    }
    if (wasAtEnd) {
      toEnd();
    }
  };
  const toEnd = (): void => {
    root.scrollTop = root.scrollHeight;
  };
  return { root, show, toEnd };
}

function lineOf(
  line: Line,
  { texts, language }: Words,
  resend: (clientId: string) => void,
): HTMLElement {
  if (line.state === "event") {
    return element("li", { class: "im-event" }, [line.text, " ", timeOf(line.created, language)]);
  }
  const text = element("div", { class: "im-text" });
  text.innerHTML = messageHtml(line.text);
  const about = element("div", { class: "im-about" }, [
    element("span", { class: "im-name" }, [line.isMine ? texts.you : line.name]),
    " ",
    timeOf(line.created, language),
  ]);
  if (line.state === "sending") {
    about.append(" ", texts.sending);
  }
  if (line.state === "failed") {
    about.append(
      element("span", { class: "im-failed" }, [` ${texts.notSent} `]),
      textButton(texts.again, () => resend(line.key)),
    );
  }
  const side = line.isMine ? "im-mine" : "im-theirs";
  return element("li", { class: `im-line ${side} im-${line.state}` }, [about, text]);
}

function timeOf(created: string, language: string): HTMLElement {
  const at = new Date(created);
  const isToday = at.toDateString() === new Date().toDateString();
  const clock: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
  const day: Intl.DateTimeFormatOptions = isToday ? {} : { day: "numeric", month: "short" };
  return element("time", { datetime: created, title: write(at, language) }, [
    write(at, language, Object.assign({}, day, clock)),
  ]);
}

/** Formats by the locale; the host may have passed an unsupported one. */
function write(at: Date, locale: string, options?: Intl.DateTimeFormatOptions): string {
  try {
    return at.toLocaleString(locale, options);
  } catch {
    return at.toLocaleString([], options);
  }
}

function createWriter({ texts }: Words, send: (text: string) => void) {
  const field = element("textarea", {
    class: "im-field",
    rows: "1",
    maxlength: "4000",
    "aria-label": texts.write,
    placeholder: texts.write,
  });
  const submit = (): void => {
    if (field.value.trim() !== "" && !field.disabled) {
      send(field.value);
      field.value = "";
    }
    field.focus();
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      submit();
    }
  });
  const button = iconButton("send", texts.send, submit);
  return { root: element("div", { class: "im-writer" }, [field, button]), field, button };
}
