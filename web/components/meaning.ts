/** What a state means for whoever looks: colour and icon follow from it, never colour alone. */
export type Meaning = "good" | "warn" | "bad" | "waiting" | "neutral";
