/** Parses the URL of the page: the room and the query. */
export type MeetingAddress = Readonly<{
  serviceKey: string;
  /** For an expert, the secret of the link. */
  roomName: string;
  /** Skips the name card. */
  name: string | undefined;
  /** Of an `sso_url`. */
  accessToken: string | undefined;
}>;

/** Pure. */
export function parseAddress({ pathname, search }: Readonly<{ pathname: string; search: string }>) {
  const [, kind, first = "", second = ""] = pathname.split("/");
  const [serviceKey, roomName] = kind === "x" ? ["", first] : [first, second];
  const query = new URLSearchParams(search);
  const address: MeetingAddress = {
    serviceKey,
    roomName: decodeURIComponent(roomName),
    name: query.get("name")?.trim() || undefined,
    accessToken: query.get("access_token") || undefined,
  };
  query.delete("access_token");
  const rest = query.toString();
  return { address, publicPath: rest === "" ? pathname : `${pathname}?${rest}` };
}
