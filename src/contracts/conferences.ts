/** The statuses of a conference, which the console calls a meeting. */
export const conferenceStatuses = ["scheduled", "ongoing", "ended", "cancelled"] as const;

export type ConferenceStatus = (typeof conferenceStatuses)[number];
