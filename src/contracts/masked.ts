/** What stands for a value that is stored and never shown. No header value can be equal to it. */
export const maskedValue = "••••";
