/** What stands for a value that is stored and never shown. */
export const maskedValue = "••••";
