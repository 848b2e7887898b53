/**
 * The markup of a mail apart from its styles, before anything parses it: browsers note each style
 * that the Content-Security-Policy stops, also in a document that is only parsed. Pure, and one pass
 * over the text: mails are anybody's.
 */

const tags = /<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>/giu;

const styleAttribute = /(\s)style(\s*=)/giu;

/** The markup with `data-style` for each `style`, and what its style elements hold. */
export function parseMarkup(html: string): { markup: string; sheets: string[] } {
  const { rest, sheets } = takeStyles(html);
  const markup = rest.replace(tags, (tag) => tag.replace(styleAttribute, "$1data-style$2"));
  return { markup, sheets };
}

/** What stands between each pair of tags, and the rest. What is opened and never closed is all. */
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
