/**
 * The meaning of a state. It determines both colour and icon, so that colour is never the only
 * signal.
 */
export type Meaning = "good" | "warn" | "bad" | "waiting" | "neutral";
