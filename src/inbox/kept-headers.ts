import { maskedValue } from "../contracts/masked.ts";

/** Names and values in turn order, as they came over the wire. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** What the sender's software says of the request, and what the signature is made of. */
const openNames =
  /^(?:host|user-agent|date|connection|accept|accept-(?:charset|encoding|language)|content-(?:type|length)|webhook-.+)$/iu;

/**
 * Headers as they are kept: the values of all others are a subscriber's own, mostly keys and
 * tokens, and whoever has the address of an inbox can read it.
 */
export function maskHeaders(headers: HeaderList): HeaderList {
  return headers.map(([name, value]) => [name, openNames.test(name) ? value : maskedValue]);
}
