export const tabs = ["chat", "timeline", "files", "customer"] as const;

export type Tab = (typeof tabs)[number];
