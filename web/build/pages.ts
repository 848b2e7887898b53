/** Every page that is built: its folder below `web/`, and how much script it may load at first. */
export type PageBudget = Readonly<{
  folder: string;
  /** Of script, gzipped, that the page loads before anybody does anything. */
  maxKilobytes: number;
}>;

export const pages: readonly PageBudget[] = [{ folder: "console", maxKilobytes: 250 }];
