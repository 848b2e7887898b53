/**
 * Separates the styles from the markup before parsing: browsers report every style that the
 * Content-Security-Policy blocks, even in an inert document. Pure, and linear time, because the
 * input is untrusted.
 */

const tags = /<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>/giu;

const styleAttribute = /(\s)style(\s*=)/giu;

/**
 * The markup with `data-style` for each `style` attribute, and the contents of its style elements.
 */
export function parseMarkup(html: string): { markup: string; sheets: string[] } {
  const { rest, sheets } = takeStyles(html);
  const markup = rest.replace(tags, (tag) => tag.replace(styleAttribute, "$1data-style$2"));
  return { markup, sheets };
}

/** Splits off the contents of the elements. An unclosed element extends to the end. */
function takeStyles(html: string): { rest: string; sheets: string[] } {
  const opening = /<style\b[^<>]*>/giu;
  const closing = /<\/style\b[^<>]*>/giu;
  const sheets: string[] = [];
  let rest = "";
  let from = 0;
  for (let start = opening.exec(html); start !== null; start = opening.exec(html)) {
    rest += html.slice(from, start.index);
    closing.lastIndex = opening.lastIndex;
    const end = closing.exec(html);
    sheets.push(html.slice(opening.lastIndex, end?.index));
    from = end === null ? html.length : closing.lastIndex;
    opening.lastIndex = from;
  }
  return { rest: rest + html.slice(from), sheets };
}
