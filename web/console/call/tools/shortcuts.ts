/** The shortcut of each tool, unless single-key shortcuts are off. */
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
