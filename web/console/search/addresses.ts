/** URLs of search results. */

export function addressOfTicket(id: number): string {
  return `/tickets/${id}`;
}
export function addressOfMeeting(id: number): string {
  return `/meetings/${id}`;
}
export function addressOfDelivery(id: number): string {
  return `/dashboard/deliveries/${id}`;
}

/** By event id, or by a ticket's number or reference. */
export function addressOfExplain(q: string): string {
  return `/dashboard/explain?${new URLSearchParams({ q })}`;
}
