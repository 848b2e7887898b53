/** The key of each tool, for who switches single keys not off. */
import type { Tool } from "./tool-reasons.ts";

export const keyOfTool: Partial<Record<Tool, string>> = {
  photo: "p",
  freeze: "d",
  pointer: "o",
  torch: "t",
  "switch-camera": "s",
  locate: "l",
  record: "r",
  mic: "m",
  camera: "v",
};
