/** Ids are integers, but for objects that have a public uid. As the API shows them. */
export function presentObjectId(objectId: string): number | string {
  return /^\d{1,15}$/u.test(objectId) ? Number(objectId) : objectId;
}
