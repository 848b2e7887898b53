/** Guesses what a typed text may be. Pure. */

export type SearchIntent =
  | Readonly<{ kind: "ticket"; id: number }>
  | Readonly<{ kind: "reference"; reference: string }>
  | Readonly<{ kind: "phone"; phone: string }>
  | Readonly<{ kind: "email"; email: string }>
  | Readonly<{ kind: "meeting"; text: string }>
  | Readonly<{ kind: "event"; id: string }>
  | Readonly<{ kind: "delivery"; id: number }>;

const eventId = /^evt_[0-9a-f-]{36}$/iu;

const wholeNumber = /^[1-9]\d{0,14}$/u;

/** All kinds of ids that the text could be; an event id is unambiguous. */
export function parseIntent(typed: string): SearchIntent[] {
  const text = typed.trim();
  if (text === "") {
    return [];
  }
  if (eventId.test(text)) {
    return [{ kind: "event", id: text.toLowerCase() }];
  }
  const number = text.replace(/^#/u, "");
  const id = wholeNumber.test(number) ? Number(number) : undefined;
  const phone = phoneOf(text);
  return [
    ...(id === undefined ? [] : [{ kind: "ticket" as const, id }]),
    { kind: "reference", reference: text },
    ...(phone === undefined ? [] : [{ kind: "phone" as const, phone }]),
    ...(text.includes("@") ? [{ kind: "email" as const, email: text }] : []),
    { kind: "meeting", text },
    ...(id === undefined ? [] : [{ kind: "delivery" as const, id }]),
  ];
}

function phoneOf(text: string): string | undefined {
  const digits = text.replace(/\(0\)/gu, "").replace(/[\s().\-/\u00A0]/gu, "");
  const international = digits.startsWith("00") ? `+${digits.slice(2)}` : digits;
  return /^\+?\d{6,15}$/u.test(international) ? international : undefined;
}

/** The queries, without duplicates. */
export function questionsOf(intents: readonly SearchIntent[]): SearchIntent[] {
  const [reference] = intents.flatMap((one) => (one.kind === "reference" ? one.reference : []));
  return intents.filter((one) => !isQueried(one, reference));
}

/** Whether one ticket query covers both: the API matches a text against all fields. */
function isQueried(intent: SearchIntent, reference: string | undefined): boolean {
  return (
    (intent.kind === "email" && intent.email === reference) ||
    (intent.kind === "phone" && digitsOf(intent.phone) === digitsOf(reference ?? ""))
  );
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/gu, "").replace(/^0+/u, "");
}
