/** How a setting is described. */
export type Setting = {
  type: "integer" | "string" | "boolean";
  meaning: string;
  default?: string | number | boolean;
  /** What the default is where it cannot be written as one value. */
  defaultNote?: string;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  enum?: readonly string[];
  isSecret?: true;
};
