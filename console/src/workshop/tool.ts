/** Where the gateway has a tool. */

export const pathOf = (name: string) => `/tools/${encodeURIComponent(name)}`;
