import { useLayoutEffect, type Dispatch, type SetStateAction } from "react";
import { failedLoadCount } from "../../base/loader.ts";

/** The field of the palette; it takes its own keys once it has the focus. */
export const fieldName = "palette-field";

/**
 * What is typed while the palette opens belongs to it: neither to the field that had the focus, nor
 * to a shortcut of one key. That ends once its field has the focus, somebody points at something
 * else, or it cannot be loaded.
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

/** The text after a key; undefined where the key is none of the palette's. */
function typedAfter(typed: string, event: KeyboardEvent): string | undefined {
  if (isText(event)) {
    return typed + event.key;
  }
  if (event.key === "Backspace") {
    return typed.slice(0, -1);
  }
  return isStray(event) ? typed : undefined;
}

/** Ctrl and Alt together are AltGr, Alt alone is Option: both write characters. */
function isText({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && !metaKey && (!ctrlKey || altKey);
}

/** What would do something in the page behind. */
function isStray({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && ["Enter", "ArrowUp", "ArrowDown"].includes(key);
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"]') !== null;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.name === fieldName;
}
