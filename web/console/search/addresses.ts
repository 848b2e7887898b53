/** Where what was found is shown. */

export const addressOfTicket = (id: number): string => `/tickets/${id}`;
export const addressOfMeeting = (id: number): string => `/meetings/${id}`;
export const addressOfDelivery = (id: number): string => `/dashboard/deliveries/${id}`;

/** By the id of an event, or by a ticket's number or reference. */
export const addressOfExplain = (q: string): string =>
  `/dashboard/explain?${new URLSearchParams({ q })}`;
