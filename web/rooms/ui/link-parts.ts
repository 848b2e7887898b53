/** Web addresses in a message. Pure. */

export type LinkPart = Readonly<{ part: string; isLink: boolean }>;

/**
 * Only http and https: no other scheme of a message may become a link. The punctuation after an
 * address belongs to the sentence, but parentheses that it opens are its own.
 */
const webAddress =
  /(https?:\/\/(?:\([^\s<>"()]*\)|[^\s<>"()])*(?:\([^\s<>"()]*\)|[^\s<>".,;:!?'()[\]{}]))/giu;

export function linkParts(text: string): readonly LinkPart[] {
  // The pattern captures the addresses, so `split` puts them at the odd places.
  return text.split(webAddress).map((part, index) => ({ part, isLink: index % 2 === 1 }));
}
