import type en from "./texts/en.json";

export type TextKey = keyof typeof en;
