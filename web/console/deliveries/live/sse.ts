/** Server-sent events out of a body that comes in pieces. Pure. */

export type ServerEvent = Readonly<{ event: string; data: string }>;

const field = (line: string, name: string): string | undefined =>
  line.startsWith(`${name}: `) ? line.slice(name.length + 2) : undefined;

const eventOf = (block: string): ServerEvent | undefined => {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    event = field(line, "event") ?? event;
    const told = field(line, "data");
    if (told !== undefined) {
      data.push(told);
    }
  }
  return data.length === 0 ? undefined : { event, data: data.join("\n") };
};

/** Takes pieces of text as they come, gives the events that are whole. Comments are none. */
export const eventReader = (): ((piece: string) => ServerEvent[]) => {
  let rest = "";
  return (piece) => {
    const blocks = (rest + piece).split("\n\n");
    rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => eventOf(block) ?? []);
  };
};
