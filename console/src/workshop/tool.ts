/** Path of a tool in the API. */

export const pathOf = (name: string) => `/tools/${encodeURIComponent(name)}`;
