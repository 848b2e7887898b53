/** The pages of a list, as an address names them and the API counts them. Pure. */

/** Rows of a page, where a list says nothing else. */
export const pageSize = 50;

/** The parameters that ask for that page. */
export function pageQuery(page: string | undefined, size = pageSize) {
  return {
    limit: size,
    offset: (pageOf(page) - 1) * size,
  };
}

/** The page that an address names, from 1: the first one where it names none. */
export function pageOf(page: string | undefined): number {
  const number = Number(page ?? "1");
  return Number.isInteger(number) && number >= 1 && number <= 1_000_000 ? number : 1;
}
