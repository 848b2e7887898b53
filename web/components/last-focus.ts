/**
 * The element that remains after a menu closes: for a menu item, the button that opened the menu.
 */
function persistentElementOf(element: HTMLElement): HTMLElement | null {
  const menu = element.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : element;
}

let last: HTMLElement | null = null;

// Listens from the first load, because the callers are loaded after the click.
document.addEventListener("focusin", ({ target }) => {
  last = target instanceof HTMLElement ? persistentElementOf(target) : null;
});

/**
 * The element that has or last had the focus. With reduced motion, a menu and its focused item are
 * gone before the dialog that the item opens has mounted.
 */
export function lastFocus(): HTMLElement | null {
  return last;
}
