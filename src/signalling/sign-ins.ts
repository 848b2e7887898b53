/** How often somebody may try to sign in on one connection. */

/** A socket that is not let in yet. */
export type SigningIn = Readonly<{ conn: Readonly<{ close(): unknown }> }>;

/** Sign-ins on one connection: a page of ours has one for each of its sockets. */
const mostSignIns = 4;
const signIns = new WeakMap<object, number>();

/** Counts a sign-in, and ends the connection where it has too many of them. */
export function maySignIn({ conn }: SigningIn): boolean {
  const count = (signIns.get(conn) ?? 0) + 1;
  signIns.set(conn, count);
  if (count > mostSignIns) {
    conn.close();
  }
  return count <= mostSignIns;
}
