/** Ids are integers, but for objects that have a public uid. As the API shows them. */
export const presentObjectId = (objectId: string): number | string =>
  /^\d{1,15}$/u.test(objectId) ? Number(objectId) : objectId;
