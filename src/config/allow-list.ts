import ipaddr from "ipaddr.js";

/** One range of addresses, and the one port there, that webhooks may reach. */
export type AllowedRange = Readonly<{ cidr: string; port: number }>;

/** Parses `CIDR:port, …`; an IPv6 range stands in brackets. Bad entries come back as faults. */
export function parseAllowList(text: string): { ranges: AllowedRange[]; faults: string[] } {
  const ranges: AllowedRange[] = [];
  const faults: string[] = [];
  for (const entry of text.split(",").map((part) => part.trim())) {
    const range = entry === "" ? undefined : parseEntry(entry);
    if (range !== undefined) {
      ranges.push(range);
    } else if (entry !== "") {
      faults.push(`RECEIVER_ALLOW_LIST has "${entry}", which is not CIDR:port`);
    }
  }
  return { ranges, faults };
}

function parseEntry(entry: string): AllowedRange | undefined {
  const colon = entry.lastIndexOf(":");
  const cidr = entry.slice(0, colon).replace(/^\[(.*)\]$/u, "$1");
  const port = Number(entry.slice(colon + 1));
  const isPort = Number.isInteger(port) && port > 0 && port < 65536;
  return colon > 0 && isPort && ipaddr.isValidCIDR(cidr) ? { cidr, port } : undefined;
}
