/** One namespace, as the server drives it. */
export type Side = Readonly<{
  /** Some process told that there is something to look at: `chat:3:12` comes as `chat`, `[3, 12]`. */
  hint(word: string, ids: readonly string[]): void;
  /** Says who is connected here. */
  beat(): Promise<void>;
  /** Each finds what no hint told of. */
  looks: readonly (() => Promise<void>)[];
  /** Ends the sockets whose token is over. */
  checkTokens(): Promise<void>;
}>;
