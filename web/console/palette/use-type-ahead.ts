import { useLayoutEffect, type Dispatch, type SetStateAction } from "react";
import { failedLoadCount } from "../../base/loader.ts";

/** Name of the palette's field, which handles its own keys. */
export const fieldName = "palette-field";

/**
 * Type-ahead: while the palette loads, key presses are collected for it instead of reaching the
 * focused field or a shortcut. Ends when its field has the focus, on a click elsewhere, or if
 * loading fails.
 */
export function useTypeAhead(isOpen: boolean, setTyped: Dispatch<SetStateAction<string>>): void {
  useLayoutEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    const ended = new AbortController();
    const on = { capture: true, signal: ended.signal };
    let typed = "";
    const take = (event: KeyboardEvent): void => {
      const next = typedAfter(typed, event);
      if (next !== undefined && !isInDialog(event.target) && failedLoadCount() === 0) {
        event.preventDefault();
        event.stopPropagation();
        typed = next;
        setTyped(next);
      }
    };
    window.addEventListener("keydown", take, on);
    window.addEventListener("pointerdown", () => ended.abort(), on);
    window.addEventListener("focusin", ({ target }) => isField(target) && ended.abort(), on);
    return () => {
      ended.abort();
      setTyped("");
    };
  }, [isOpen, setTyped]);
}

/** The text after a key press; undefined if the key is not for the palette. */
function typedAfter(typed: string, event: KeyboardEvent): string | undefined {
  if (isText(event)) {
    return typed + event.key;
  }
  if (event.key === "Backspace") {
    return typed.slice(0, -1);
  }
  return isStray(event) ? typed : undefined;
}

/** Ctrl+Alt is AltGr, and Alt alone is Option: both type characters. */
function isText({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && !metaKey && (!ctrlKey || altKey);
}

/** Keys that would act on the page behind. */
function isStray({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && ["Enter", "ArrowUp", "ArrowDown"].includes(key);
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"]') !== null;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.name === fieldName;
}
