/** Type-checks text keys: an unknown key does not compile. */
import type base from "./texts/en.json";
import type call from "../console/call/texts/en.json";
import type deliveries from "../console/deliveries/texts/en.json";
import type eventTypes from "../console/event-types/texts/en.json";
import type meetings from "../console/meetings/texts/en.json";
import type messages from "../console/messages/texts/en.json";
import type palette from "../console/palette/texts/en.json";
import type platform from "../console/platform/texts/en.json";
import type rooms from "../console/rooms/texts/en.json";
import type search from "../console/search/texts/en.json";
import type services from "../console/services/texts/en.json";
import type settings from "../console/settings/texts/en.json";
import type signIn from "../console/sign-in/texts/en.json";
import type statistics from "../console/statistics/texts/en.json";
import type templates from "../console/templates/texts/en.json";
import type tickets from "../console/tickets/texts/en.json";
import type users from "../console/users/texts/en.json";
import type webhooks from "../console/webhooks/texts/en.json";
import type quickInvitation from "../quick-invitation/texts/en.json";

type Areas = {
  base: typeof base;
  call: typeof call;
  deliveries: typeof deliveries;
  "event-types": typeof eventTypes;
  meetings: typeof meetings;
  messages: typeof messages;
  palette: typeof palette;
  platform: typeof platform;
  rooms: typeof rooms;
  search: typeof search;
  services: typeof services;
  settings: typeof settings;
  "sign-in": typeof signIn;
  statistics: typeof statistics;
  templates: typeof templates;
  tickets: typeof tickets;
  users: typeof users;
  webhooks: typeof webhooks;
  "quick-invitation": typeof quickInvitation;
};

/** The folder of the texts. */
export type Area = keyof Areas;

/** A text with plural forms has one key per form; callers use their common prefix. */
type ResolvedKey<
  Key extends string,
  Siblings,
> = Key extends `${infer Counted}_${Intl.LDMLPluralRule | "zero"}`
  ? [`${Counted}_one` | `${Counted}_other`] extends [Siblings]
    ? Counted
    : Key
  : Key;

type KeysIn<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string
    ? ResolvedKey<Key, keyof Texts>
    : `${Key}.${KeysIn<Texts[Key]>}`;
}[keyof Texts & string];

/** The text keys of an area: its own, and the shared ones with the prefix `base:`. */
export type TextKey<Of extends Area> = KeysIn<Areas[Of]> | `base:${KeysIn<Areas["base"]>}`;
