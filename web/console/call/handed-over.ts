/**
 * Whether the agent gave the ticket away on this page. A session for one ticket ends with that:
 * nobody is asked to sign in again.
 */
let isHandedOver = false;

export function markHandedOver(): void {
  isHandedOver = true;
}

export function wasHandedOver(): boolean {
  return isHandedOver;
}
