/** What will still be there when a menu closes: of its items, the button that opened it. */
function persistentElementOf(element: HTMLElement): HTMLElement | null {
  const menu = element.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : element;
}

let last: HTMLElement | null = null;

// From the start: who asks is loaded after the click that makes it ask.
document.addEventListener("focusin", ({ target }) => {
  last = target instanceof HTMLElement ? persistentElementOf(target) : null;
});

/**
 * What has the focus, or had it last: a menu that closes at once, as it does where nothing may
 * move, is gone with its item before the dialog that the item opens is there.
 */
export function lastFocus(): HTMLElement | null {
  return last;
}
